# Varnish 7 in front of ng-ssr with `withEdge(varnishEdge({ url, token }))`: see docs/cdn.md.
# It needs the module xkey (Debian: varnish-modules). Start varnishd with `-p http_gzip_support=off`: ng-ssr has made
# the codings, and without it Varnish asks for gzip alone.
vcl 4.1;

import std;
import xkey;

# `probes` of ng-ssr: a server that starts, or is about to end, gets no requests.
probe ready {
    .url = "/readyz";
    .interval = 2s;
    .timeout = 1s;
    .window = 5;
    .threshold = 3;
}

backend ng_ssr {
    .host = "127.0.0.1";
    .port = "4000";
    .probe = ready;
}

# The addresses of ng-ssr's processes, as Varnish sees them.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        # The address alone proves nothing: behind a proxy on this host, every client has the address of the proxy.
        # Without a secret of at least 16 characters in the environment of varnishd, nobody can purge.
        if (client.ip !~ purgers ||
            std.getenv("VARNISH_PURGE_TOKEN") !~ "^.{16}" ||
            req.http.Authorization != "Bearer " + std.getenv("VARNISH_PURGE_TOKEN")) {
            return (synth(403, "Forbidden"));
        }
        if (req.http.xkey-purge) {
            return (synth(200, "Purged " + xkey.purge(req.http.xkey-purge)));
        }
        if (req.http.xkey-softpurge) {
            return (synth(200, "Purged " + xkey.softpurge(req.http.xkey-softpurge)));
        }
        return (synth(400, "No tags"));
    }

    if (req.restarts == 0) {
        unset req.http.ng-always-miss;
    } elsif (req.http.ng-always-miss) {
        set req.hash_always_miss = true;
    }

    # What clients say about the host is no part of the key. X-Forwarded-Proto is: a proxy that ends TLS sets it.
    unset req.http.Forwarded;
    unset req.http.X-Forwarded-Host;
    unset req.http.X-Forwarded-Port;
    unset req.http.X-Forwarded-Prefix;

    if (req.http.Upgrade ~ "(?i)websocket") {
        return (pipe);
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.http.Authorization) {
        return (pass);
    }

    # One variant for each coding, in place of one for each spelling.
    if (req.http.Accept-Encoding ~ "(?i)(^|[\s,])br($|[\s,;])" && req.http.Accept-Encoding !~ "(?i)br\s*;\s*q=0(\.0*)?\s*($|,)") {
        set req.http.Accept-Encoding = "br";
    } elsif (req.http.Accept-Encoding ~ "(?i)(^|[\s,])gzip($|[\s,;])" && req.http.Accept-Encoding !~ "(?i)gzip\s*;\s*q=0(\.0*)?\s*($|,)") {
        set req.http.Accept-Encoding = "gzip";
    } else {
        unset req.http.Accept-Encoding;
    }
    unset req.http.Available-Dictionary;

    # With cookies too: ng-ssr says of each page whether it is the same for all. They reach ng-ssr on a miss.
    return (hash);
}

sub vcl_hash {
    hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_hit {
    # Past stale-while-revalidate, a page is for times without a backend (stale-if-error).
    if (obj.ttl + std.duration(obj.http.ng-swr, 0s) < 0s && std.healthy(req.backend_hint)) {
        set req.http.ng-always-miss = "1";
        return (restart);
    }
    return (deliver);
}

sub vcl_backend_response {
    unset beresp.http.ng-swr;
    if (bereq.uncacheable) {
        return (deliver);
    }
    # The page in the cache stays until ng-ssr has a fresh one.
    if (bereq.is_bgfetch && (beresp.status >= 500 || beresp.http.CDN-Cache-Control ~ "no-store")) {
        return (abandon);
    }

    # Varnish itself reads Cache-Control alone, and guesses where there is none.
    if (beresp.http.CDN-Cache-Control) {
        set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s) - beresp.age;
        set beresp.http.ng-cache-control = beresp.http.CDN-Cache-Control;
    } else {
        set beresp.http.ng-cache-control = beresp.http.Cache-Control;
    }
    set beresp.grace = 0s;
    if (beresp.http.ng-cache-control ~ "stale-while-revalidate=[0-9]") {
        set beresp.http.ng-swr = regsub(beresp.http.ng-cache-control, "^.*stale-while-revalidate=([0-9]+).*$", "\1s");
        set beresp.grace = std.duration(beresp.http.ng-swr, 0s);
    }
    if (beresp.http.ng-cache-control ~ "stale-if-error=[0-9]") {
        if (std.duration(regsub(beresp.http.ng-cache-control, "^.*stale-if-error=([0-9]+).*$", "\1s"), 0s) > beresp.grace) {
            set beresp.grace = std.duration(regsub(beresp.http.ng-cache-control, "^.*stale-if-error=([0-9]+).*$", "\1s"), 0s);
        }
    }
    unset beresp.http.ng-cache-control;

    # Never what is for one client, and nothing without a lifetime. A later answer may be kept (hit-for-miss).
    if (beresp.ttl <= 0s ||
        beresp.http.Set-Cookie ||
        beresp.http.Cache-Control ~ "(?i)(private|no-store|no-cache)" ||
        beresp.http.CDN-Cache-Control ~ "(private|no-store|no-cache)" ||
        beresp.http.Vary ~ "(?i)(\*|cookie|authorization)" ||
        beresp.status >= 500 ||
        (beresp.status >= 400 && beresp.status != 404 && beresp.status != 410) ||
        (!beresp.http.CDN-Cache-Control && !beresp.http.Cache-Control && !beresp.http.Expires)) {
        set beresp.uncacheable = true;
        set beresp.ttl = 120s;
        set beresp.grace = 0s;
        return (deliver);
    }
    # For validation, after its time.
    set beresp.keep = 10m;
    return (deliver);
}

sub vcl_deliver {
    # These are for Varnish; browsers validate here (Cache-Control).
    unset resp.http.xkey;
    unset resp.http.CDN-Cache-Control;
    unset resp.http.ng-swr;
    # RFC 9211.
    if (obj.uncacheable) {
        set resp.http.Cache-Status = resp.http.Cache-Status + ", Varnish; fwd=bypass";
    } elsif (obj.hits > 0) {
        set resp.http.Cache-Status = resp.http.Cache-Status + ", Varnish; hit";
    } else {
        set resp.http.Cache-Status = resp.http.Cache-Status + ", Varnish; fwd=miss";
    }
    set resp.http.Cache-Status = regsub(resp.http.Cache-Status, "^, ", "");
}
