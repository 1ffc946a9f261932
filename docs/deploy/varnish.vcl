# Varnish 7 in front of ng-ssr with `withEdge(varnishEdge({ url, token }))`: see docs/cdn.md.
# It needs the module xkey (Debian: varnish-modules). Start varnishd with `-p http_gzip_support=off`: otherwise Varnish
# requests gzip only, and clients do not get the encodings of ng-ssr.
vcl 4.1;

import std;
import xkey;

# The ready probe of ng-ssr: a server that is starting or shutting down gets no requests.
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

# The addresses of your servers, as Varnish sees them.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        # The address is not enough: behind a proxy on this host, every client has the address of the proxy.
        # Without a secret of at least 16 characters in the environment of varnishd, no purge is accepted.
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

    # Clients must not choose the host of the key. X-Forwarded-Proto stays: a proxy that terminates TLS sets it.
    unset req.http.Forwarded;
    unset req.http.X-Forwarded-Host;
    unset req.http.X-Forwarded-Port;
    unset req.http.X-Forwarded-Prefix;

    # Pages with slots get <esi:include> (docs/slots.md). Their slots are of one visitor.
    set req.http.Surrogate-Capability = {"varnish="ESI/1.0""};
    if (req.esi_level > 0) {
        return (pass);
    }

    if (req.http.Upgrade ~ "(?i)websocket") {
        return (pipe);
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    if (req.http.Authorization) {
        return (pass);
    }

    # One variant per encoding instead of one per spelling of Accept-Encoding.
    if (req.http.Accept-Encoding ~ "(?i)(^|[\s,])br($|[\s,;])" && req.http.Accept-Encoding !~ "(?i)br\s*;\s*q=0(\.0*)?\s*($|,)") {
        set req.http.Accept-Encoding = "br";
    } elsif (req.http.Accept-Encoding ~ "(?i)(^|[\s,])gzip($|[\s,;])" && req.http.Accept-Encoding !~ "(?i)gzip\s*;\s*q=0(\.0*)?\s*($|,)") {
        set req.http.Accept-Encoding = "gzip";
    } else {
        unset req.http.Accept-Encoding;
    }
    unset req.http.Available-Dictionary;

    # Requests with cookies too: the response of ng-ssr says whether it may be shared. Cookies reach ng-ssr on a miss.
    return (hash);
}

sub vcl_hash {
    hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_hit {
    # After stale-while-revalidate, a page may only be served while the backend is down (stale-if-error).
    if (obj.ttl + std.duration(obj.http.ng-swr, 0s) < 0s && std.healthy(req.backend_hint)) {
        set req.http.ng-always-miss = "1";
        return (restart);
    }
    return (deliver);
}

sub vcl_backend_response {
    unset beresp.http.ng-swr;
    # A page with <esi:include>: its Cache-Control is for browsers, and Surrogate-Control for Varnish.
    if (beresp.http.Surrogate-Control ~ {"content="ESI/1.0""}) {
        set beresp.do_esi = true;
        set beresp.http.CDN-Cache-Control = beresp.http.Surrogate-Control;
    }
    unset beresp.http.Surrogate-Control;
    if (bereq.uncacheable) {
        return (deliver);
    }
    # Keep the cached page until ng-ssr sends a fresh one.
    if (bereq.is_bgfetch && (beresp.status >= 500 || beresp.http.CDN-Cache-Control ~ "no-store")) {
        return (abandon);
    }

    # Varnish itself reads only Cache-Control, and guesses a lifetime if there is none.
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

    # Do not cache responses for one client or without a lifetime. A later response may be cached (hit-for-miss).
    if (beresp.ttl <= 0s ||
        beresp.http.Set-Cookie ||
        (!beresp.do_esi && beresp.http.Cache-Control ~ "(?i)(private|no-store|no-cache)") ||
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
    # For revalidation after it expires.
    set beresp.keep = 10m;
    return (deliver);
}

sub vcl_deliver {
    # Varnish would put the text of an error into the page.
    if (req.esi_level > 0 && resp.status != 200) {
        return (synth(204));
    }
    # These headers are for Varnish. Browsers revalidate here (Cache-Control).
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

sub vcl_synth {
    if (req.esi_level > 0) {
        return (deliver);
    }
}
