import { AppModule } from './fixture/app.ts';
import { createAppEngine, setManifests } from './fixture/built-app.ts';
import { defineEngineSuite } from './fixture/engine-suite.ts';

setManifests(AppModule);
defineEngineSuite('appEngine with an NgModule', createAppEngine);
