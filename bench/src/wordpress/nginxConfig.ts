interface Ports {
  onTheFly: number;
  stored: number;
  uncached: number;
}

/** One nginx worker, because Nido serves with one process here. Each port serves the same site in a different way. */
export function nginxConfig(folder: string, ports: Ports): string {
  return `
user www-data;
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 512; }
http {
  access_log off;
  include /etc/nginx/mime.types;
  keepalive_requests 1000000;
  fastcgi_cache_path ${folder}/cache levels=1:2 keys_zone=pages:10m inactive=60m;
  fastcgi_temp_path ${folder}/temp;
  fastcgi_cache_valid 200 60m;
  # Caches uncompressed pages and compresses each answer.
  server {
    listen 127.0.0.1:${ports.onTheFly};
    gzip on;
    location / {
      ${fastcgi(folder, "plain")}
      fastcgi_cache pages;
      fastcgi_cache_key "$scheme$host$request_uri";
    }
  }
  # Caches pages that PHP has compressed.
  server {
    listen 127.0.0.1:${ports.stored};
    location / {
      ${fastcgi(folder, "compressing")}
      fastcgi_cache pages;
      fastcgi_cache_key "stored$scheme$host$request_uri$http_accept_encoding";
    }
  }
  server {
    listen 127.0.0.1:${ports.uncached};
    location / {
      ${fastcgi(folder, "plain")}
    }
  }
}
`;
}

function fastcgi(folder: string, pool: "plain" | "compressing"): string {
  return `include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME ${folder}/site/index.php;
      fastcgi_param HTTP_HOST $http_host;
      fastcgi_pass unix:${folder}/${pool}.sock;`;
}
