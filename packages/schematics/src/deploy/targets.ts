import type { DeployTarget } from './deployment.ts';
import { cloudRun } from './targets/cloud-run.ts';
import { cluster } from './targets/cluster.ts';
import { compose } from './targets/compose.ts';
import { deno } from './targets/deno.ts';
import { docker } from './targets/docker.ts';
import { firebase } from './targets/firebase.ts';
import { fly } from './targets/fly.ts';
import { heroku } from './targets/heroku.ts';
import { k8s } from './targets/k8s.ts';
import { lambda } from './targets/lambda.ts';
import { netlify } from './targets/netlify.ts';
import { nginx } from './targets/nginx.ts';
import { pm2 } from './targets/pm2.ts';
import { systemd } from './targets/systemd.ts';
import { vercel } from './targets/vercel.ts';
import { workers } from './targets/workers.ts';

/** Every target of `ng generate <package>:deploy`, by its name there. */
export const deployTargets: Readonly<Record<string, DeployTarget>> = {
  docker,
  compose,
  systemd,
  k8s,
  nginx,
  pm2,
  cluster,
  lambda,
  'cloud-run': cloudRun,
  firebase,
  fly,
  heroku,
  netlify,
  vercel,
  workers,
  deno,
};
