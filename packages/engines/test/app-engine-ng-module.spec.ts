import { AppModule } from './fixture/app.ts';
import { createAppEngine } from './fixture/built-app.ts';
import { setManifests } from './fixture/manifests.ts';
import { defineEngineSuite } from './fixture/engine-suite.ts';

setManifests(AppModule);
defineEngineSuite('appEngine with an NgModule', createAppEngine);
