import type { DeployTarget } from './deployment.ts';
import { cluster } from './targets/cluster.ts';
import { compose } from './targets/compose.ts';
import { docker } from './targets/docker.ts';
import { k8s } from './targets/k8s.ts';
import { lambda } from './targets/lambda.ts';
import { nginx } from './targets/nginx.ts';
import { pm2 } from './targets/pm2.ts';
import { systemd } from './targets/systemd.ts';

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
};
