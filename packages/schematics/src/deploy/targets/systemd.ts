import { type Deployment, type DeployTarget, STOP_SECONDS } from '../deployment.ts';
import { shellWord, systemdWord } from '../quoting.ts';

export const systemd: DeployTarget = {
  title: 'systemd',
  page: 'systemd.md',
  files: (deployment) => ({
    [`deploy/${deployment.name}.socket`]: socketUnit(deployment),
    [`deploy/${deployment.name}.service`]: serviceUnit(deployment),
  }),
  steps: ({ name, output, tokens }) => [
    `Copy the build: rsync -a --relative ${shellWord(output)} node_modules/@ng-ssr/etag node_modules/node-gyp-build your.host:/srv/${name}/`,
    `Copy the units: sudo cp deploy/${name}.* /etc/systemd/system/, and set NG_ALLOWED_HOSTS in ${name}.service`,
    ...(tokens.length === 0
      ? []
      : [
          `Write ${tokensFile(name)}, which only root can read, with a line for each of: ${tokens.map((token) => `${token}=`).join(' ')}`,
        ]),
    `sudo systemctl daemon-reload && sudo systemctl enable --now ${name}.socket ${name}.service`,
    `After each deployment: sudo systemctl restart ${name}.service`,
  ],
};

function socketUnit({ name, port }: Deployment): string {
  return `[Unit]
Description=Socket of ${name}

[Socket]
ListenStream=${port}
NoDelay=true
# How many connections may wait while the service restarts.
Backlog=4096

[Install]
WantedBy=sockets.target
`;
}

/** systemd reads it before the process has its user. In the unit every user could read the tokens. */
function tokensFile(name: string): string {
  return `/etc/${name}.env`;
}

function serviceUnit({ name, server, tokens }: Deployment): string {
  return `[Unit]
Description=${name}
# systemd keeps the socket open, so connections wait while the service restarts.
Requires=${name}.socket
After=${name}.socket network.target

[Service]
Type=exec
WorkingDirectory=/srv/${name}
ExecStart=/usr/bin/node ${systemdWord(server)}
Environment=NODE_ENV=production
Environment=NG_ALLOWED_HOSTS=your.host
${tokens.length === 0 ? '' : `# With ${tokens.join(', ')}. Without it, the server reports what is missing.\nEnvironmentFile=-${tokensFile(name)}\n`}Restart=always
RestartSec=1
# Longer than shutdown.timeoutMs (10 s).
TimeoutStopSec=${STOP_SECONDS}

# The service only reads its build.
DynamicUser=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
LockPersonality=yes
RemoveIPC=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
# getaddrinfo(3) and the list of interfaces use AF_NETLINK.
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
SystemCallArchitectures=native
# Render threads lower their priority, so @resources stays allowed.
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
# V8 compiles to memory that it executes: no MemoryDenyWriteExecute.
UMask=0077

[Install]
WantedBy=multi-user.target
`;
}
