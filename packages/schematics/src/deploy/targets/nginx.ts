import type { Deployment, DeployTarget } from '../deployment.ts';

export const nginx: DeployTarget = {
  title: 'nginx in front',
  page: 'nginx.md',
  files: (deployment) => ({ [`deploy/${deployment.name}.nginx.conf`]: site(deployment) }),
  steps: ({ name }) => [
    `Copy it: sudo cp deploy/${name}.nginx.conf /etc/nginx/conf.d/${name}.conf, and set server_name and the certificate.`,
    'sudo nginx -t && sudo systemctl reload nginx',
    'Start the server with NG_TRUST_PROXY_HEADERS=x-forwarded-proto and NG_ALLOWED_HOSTS=your.host.',
  ],
};

function site({ name, port }: Deployment): string {
  return `upstream ${name} {
  server 127.0.0.1:${port};
  # Node closes idle connections after 5 s. nginx must close them first.
  keepalive 64;
  keepalive_timeout 4s;
}

map $http_upgrade $${name.replaceAll('-', '_')}_connection {
  default upgrade;
  '' '';
}

server {
  listen 80;
  listen [::]:80;
  server_name your.host;
  return 301 https://$host$request_uri;
}

server {
  # From nginx 1.25.1 on: "listen 443 ssl;" and "http2 on;".
  listen 443 ssl http2;
  listen [::]:443 ssl http2;
  server_name your.host;
  ssl_certificate /etc/ssl/your.host.pem;
  ssl_certificate_key /etc/ssl/your.host.key;

  # Pages arrive in Brotli, Zstandard or gzip.
  gzip off;

  location / {
    proxy_pass http://${name};
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    # Overwrite these headers, because clients can forge them.
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Host '';
    proxy_set_header X-Forwarded-Port '';
    proxy_set_header X-Forwarded-Prefix '';
    proxy_set_header Forwarded '';
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $${name.replaceAll('-', '_')}_connection;
    proxy_buffer_size 16k;
    proxy_buffers 16 16k;
    # Stream large files instead of copying them to disk.
    proxy_max_temp_file_size 0;
    proxy_connect_timeout 5s;
    # Longer than the deadline of a render. An event stream must send data within this time.
    proxy_read_timeout 60s;
  }
}
`;
}
