/**
 * Every code of an ng-ssr error, with the status that a client gets if the error reaches one. The comments are the text
 * of docs/errors.md: when an error happens, how to fix it, and a message as an example.
 */
export const ERROR_CODES = {
  // Options and start
  /**
   * An option has a wrong value, or does not go with another option.
   *
   * @remarks Use a value that the message allows. See [options](options.md).
   *
   * @example cache.maxBytes is -1 (number); allowed: a whole number of bytes, 1 or more
   */
  NG_SSR_OPTION_INVALID: 500,
  /**
   * An option has an unknown name. On platforms without Node, options that need Node are unknown.
   *
   * @remarks Use the name, or the feature, that the message suggests.
   *
   * @example there is no option cache.maxByte. Did you mean cache.maxBytes? …
   */
  NG_SSR_OPTION_UNKNOWN: 500,
  /**
   * The program failed before its server listened: the port is in use, or its code threw. The process exits with 1.
   *
   * @remarks See the message, or the error after it.
   *
   * @example port 4000 is in use: stop the other program, …
   */
  NG_SSR_START_FAILED: 500,
  /**
   * The program does not contain the Angular application: it was not built, or its bundle lacks `@ng-ssr/engines` or
   * `@angular/ssr`.
   *
   * @remarks Build with `@angular/build:application` and start the built `server.mjs`. Keep both packages out of
   * `externalDependencies`. Without `"outputMode": "server"`, use `commonEngine()`.
   *
   * @example appEngine(): this program does not contain the Angular application. …
   */
  NG_SSR_ENGINE_NOT_BUILT: 500,
  /**
   * This version of Angular is not supported.
   *
   * @remarks Run the command in the message, or update ng-ssr.
   *
   * @example this application has Angular 21.1.5; supported: 21.2.9 and later. …
   */
  NG_SSR_ANGULAR_UNSUPPORTED: 500,
  /**
   * Notice: this version of ng-ssr is not tested with this version of Angular, but supports it.
   *
   * @remarks Compare your pages with Angular's: `ng-ssr doctor --compare`. Update ng-ssr when you can.
   *
   * @example this version of ng-ssr is not tested with Angular 22.3.0 …
   */
  NG_SSR_ANGULAR_UNTESTED: 500,
  /**
   * This version of Angular lacks an internal member that the engines use. Pages that can be rendered without it take
   * longer.
   *
   * @remarks Update ng-ssr, or use a version of Angular that it supports.
   *
   * @example this version of Angular has no AngularServerApp#manifest.bootstrap: …
   */
  NG_SSR_ANGULAR_CHANGED: 500,
  /**
   * Notice: this version of Node writes other bytes than expected, so Node itself writes cached responses, more slowly.
   *
   * @remarks Update ng-ssr.
   *
   * @example Node.js v27.0.0 writes responses differently than expected: …
   */
  NG_SSR_NODE_CHANGED: 500,
  /**
   * The bundle of a server for Node was made for another platform.
   *
   * @remarks Add `node` to the export conditions of your bundler, or use `createNeutralSsrHandler` of
   * `@ng-ssr/fetch/neutral`.
   *
   * @example this server needs Node, …
   */
  NG_SSR_PLATFORM_INVALID: 500,
  /**
   * Notice: the addon that computes ETags did not load. WebAssembly computes the same ETags, some microseconds slower.
   *
   * @remarks Install `@ng-ssr/etag` where the server runs. If your platform has no addon, no action is needed. `NG_SSR_ETAG=js` turns the notice off.
   *
   * @example The addon of @ng-ssr/etag is not installed here, …
   */
  NG_SSR_ADDON_UNAVAILABLE: 500,
  /**
   * Notice: a member of `withPublicConfig()` looks like a secret, or a prerendered page is too large for memory and is
   * rendered for each request.
   *
   * @remarks Remove secrets: every visitor can read them. For large pages, raise `files.maxFileBytes` or
   * `files.maxBytes`.
   *
   * @example withPublicConfig.apiKey: looks like a secret, …
   */
  NG_SSR_PUBLIC_CONFIG_NOTICE: 500,

  // Hosts and requests
  /**
   * At start: no host is allowed, or in production only localhost. Other hosts get 400.
   *
   * @remarks Set `allowedHosts`, `NG_ALLOWED_HOSTS=shop.example`, or `security.allowedHosts` in angular.json. Ignore it
   * if your proxy sends `Host: localhost`. See [hosts](hosts.md).
   *
   * @example No host is allowed: …
   */
  NG_SSR_HOSTS_MISSING: 500,
  /**
   * Host, `:authority` or a trusted Forwarded header is missing, repeated or malformed (RFC 9110 section 7.2). Not
   * reported.
   *
   * @remarks Check which host your proxy sends.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_HOST_MALFORMED
   */
  NG_SSR_HOST_MALFORMED: 400,
  /**
   * `allowedHosts` does not allow the host, or it has another port than the server. Each host is reported once, at most
   * 20.
   *
   * @remarks Add your own host, with its [port](hosts.md#ports) if the message names one. If it is an IP address, your
   * proxy does not pass on the host. Ignore other names: they come from scanners.
   *
   * @example The host old-shop.example is not in allowedHosts: …
   */
  NG_SSR_HOST_NOT_ALLOWED: 400,
  /**
   * The function `allowedHosts` threw, rejected, took too long or returned no boolean. Hosts that it allowed in the
   * last hour stay allowed. Reported at most once a minute.
   *
   * @remarks See `cause` and [hosts](hosts.md).
   *
   * @example allowedHosts did not decide on the host shop.example: …
   */
  NG_SSR_HOST_UNDECIDED: 503,
  /**
   * The path contains dot segments, backslashes, a fragment, broken escapes or characters outside RFC 3986, or does not
   * start with one `/` (RFC 9112 section 3.2.1). Not reported.
   *
   * @remarks Ignore it: most such clients are scanners.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_TARGET_MALFORMED
   */
  NG_SSR_TARGET_MALFORMED: 400,
  /**
   * A page was requested with a method other than GET and HEAD, or the purge endpoint with one other than POST. `Allow`
   * lists the methods.
   *
   * @remarks Register a route for this method and path before the pages.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_METHOD_NOT_ALLOWED
   */
  NG_SSR_METHOD_NOT_ALLOWED: 405,
  /**
   * No file, page or route has this path. The response is the 404 page; for hashed files a short text.
   *
   * @remarks Check the routes of the application. For scripts of earlier builds, see [deploys](deploys.md).
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_NOT_FOUND
   */
  NG_SSR_NOT_FOUND: 404,
  /**
   * Accept-Encoding excludes every encoding of the response, including identity (RFC 9110 section 12.5.3).
   *
   * @remarks Remove `identity;q=0` or `*;q=0` from the client.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_NOT_ACCEPTABLE
   */
  NG_SSR_NOT_ACCEPTABLE: 406,
  /**
   * A Range starts after the end of the file (RFC 9110 section 15.5.17). Content-Range has its length.
   *
   * @remarks Request the file again without Range.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_RANGE_NOT_SATISFIABLE
   */
  NG_SSR_RANGE_NOT_SATISFIABLE: 416,
  /**
   * If-Match or If-Unmodified-Since does not match the current version (RFC 9110 section 13.1).
   *
   * @remarks Fetch the file again.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PRECONDITION_FAILED
   */
  NG_SSR_PRECONDITION_FAILED: 412,
  /**
   * A browser prefetched a page (`Sec-Purpose: prefetch`) that would need a render. The visit itself gets the page.
   *
   * @remarks None needed. `render.prefetch` renders prefetched pages.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PREFETCH_REFUSED
   */
  NG_SSR_PREFETCH_REFUSED: 503,
  /**
   * One of your routes or middlewares failed, or a response could not be written.
   *
   * @remarks See `cause`. The message names the request.
   *
   * @example POST /api/orders failed
   */
  NG_SSR_HANDLER_FAILED: 500,
  /**
   * A feature threw, or did not return a response. If its installation fails, the server does not start; if its `start`
   * fails and it has `delaysReady`, the server does not become ready.
   *
   * @remarks See `cause` and [features](features.md#rules).
   *
   * @example the feature sessions could not start
   */
  NG_SSR_FEATURE_FAILED: 500,

  // Rendering
  /**
   * The application did not start, or its navigation failed; with `failOnError: true`, any error. Or the engine cannot
   * start, or is used before `setup()`.
   *
   * @remarks See `cause`; `errorDetails` shows it in the browser. See [errors of pages](page-errors.md), such as
   * [`window is not defined`](page-errors.md#window-is-not-defined).
   *
   * @example GET /products/3 failed
   */
  NG_SSR_RENDER_FAILED: 500,
  /**
   * The body of the engine's response failed, or is larger than 64 MiB.
   *
   * @remarks Check the stream of your engine, and `cause`.
   *
   * @example GET /products/3 failed
   */
  NG_SSR_BODY_FAILED: 500,
  /**
   * A page left an error unhandled. It is sent, but not cached; with `failOnError: true` it is a 500. The log shows the
   * error once in ten minutes per page.
   *
   * @remarks Handle the error where `cause` points. See [errors of pages](page-errors.md), such as [`window is not
   * defined`](page-errors.md#window-is-not-defined).
   *
   * @example GET /products/3 (https://shop.example/products/3) has left an error unhandled: HttpErrorResponse: …
   */
  NG_SSR_ERROR_UNHANDLED: 500,
  /**
   * A page set a status outside 200 to 599, or a header that cannot be sent (RFC 9110 section 5.5). Or your engine did
   * not return a Response or null.
   *
   * @remarks Set a valid status in `RESPONSE_INIT`, encode data in headers, and return a Response or null.
   *
   * @example GET /products/3: the engine's status is 99; allowed: 200 to 599
   */
  NG_SSR_RESPONSE_INVALID: 500,
  /**
   * A page of a shared route reads a request header that is not in the rule's `vary`. This is an error in development;
   * in production the header is missing.
   *
   * @remarks Add the header to `vary`, or remove `sMaxAge` and `freshness` from the rule.
   *
   * @example /account reads the request's cookie, …
   */
  NG_SSR_REQUEST_NOT_SHARED: 500,
  /**
   * A function `ssr` of `routeRules` threw, or did not return a boolean. The page is rendered. Reported once.
   *
   * @remarks See `cause` and [render rules](render-rules.md).
   *
   * @example a function "ssr" of routeRules threw. …
   */
  NG_SSR_RENDER_RULE_FAILED: 500,
  /**
   * Rules have `ssr`, but the build has no `index.csr.html` that fits into memory. These pages are rendered for all
   * requests.
   *
   * @remarks Deploy `index.csr.html` in the browser folder, or raise `files.maxFileBytes`. See [render
   * rules](render-rules.md).
   *
   * @example routeRules has "ssr" for /search, …
   */
  NG_SSR_CSR_PAGE_MISSING: 500,
  /**
   * A page cannot get its nonce: the engine compressed it, a header repeats the nonce, or the page contains the
   * placeholder. At start: some pages are too large for memory.
   *
   * @remarks Leave compression to the server, and call `markNonces()` in your own engine. For large pages, raise
   * `files.maxFileBytes` or `files.maxBytes`.
   *
   * @example GET /products/3: the engine sends the page encoded as gzip, …
   */
  NG_SSR_NONCE_UNFILLED: 500,
  /**
   * A slot of `withSlots()` was not filled: `fill` or `when` threw, `fill` took longer than `timeoutMs`, or JSON has no text
   * for its value. The page keeps the fallback. Or `html` failed: then the data is sent without HTML. In an outage it is
   * reported once for each cause, then counted each minute.
   *
   * @remarks Read the cause. If an API is slow, raise `timeoutMs`, and pass `signal` to `fetch`.
   *
   * @example the slot cart of /products/3 keeps its fallback: it took longer than 500 ms
   */
  NG_SSR_SLOT_FAILED: 500,
  /**
   * A request to the endpoint of `withSlots()` comes from a page of another site.
   *
   * @remarks Pages fetch their slots from their own origin. Do not link to the endpoint, or embed it elsewhere.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_SLOTS_CROSS_SITE
   */
  NG_SSR_SLOTS_CROSS_SITE: 403,
  /**
   * `render.concurrency` and `render.maxQueued` are reached, or the server shuts down, and there is no fallback.
   * Clients get `Retry-After: 1`. Reported at most once in ten seconds.
   *
   * @remarks Cache more pages (`routeRules`), add capacity, or allow fallbacks (`render.fallbacks`).
   *
   * @example 42 requests got no page in time; …
   */
  NG_SSR_OVERLOADED: 503,
  /**
   * A page was not ready within `maxWaitMs` of `render` or its rule. The render continues, and its page is cached if
   * possible.
   *
   * @remarks Find slow API calls with `withServerTiming()`. Cache the page, or raise `maxWaitMs`.
   *
   * @example GET /search?q=lamp took longer than 3000 ms
   */
  NG_SSR_DEADLINE_PASSED: 503,
  /**
   * A render took longer than `render.timeoutMs` and was stopped.
   *
   * @remarks In most cases an API call does not end: set `timeoutMs` of `withCalls()`. See [calls](calls.md).
   *
   * @example GET /products/3 timed out: …
   */
  NG_SSR_RENDER_TIMEOUT: 503,
  /**
   * Notice: a route is rendered with Angular's DOM, which takes longer: its pages use an API that the fast DOM lacks,
   * or a member of Angular's DOM was replaced. Reported once per route.
   *
   * @remarks None needed. `ng-ssr doctor --compare` finds such routes.
   *
   * @example pages of /report are rendered with Angular's own DOM, …
   */
  NG_SSR_FAST_LEFT: 500,
  /**
   * A page needs Angular's DOM, but its render may have sent a request that must not be repeated, such as a POST (RFC
   * 9110 section 9.2.1). The request gets a stale page, the CSR page or 503; later requests work.
   *
   * @remarks It happens once per route; `fast: false` avoids it. Before Node 24, requests of `node:http2` are sent
   * twice.
   *
   * @example pages of /report need Angular's own DOM …
   */
  NG_SSR_RENDER_NOT_REPEATED: 503,

  // Threads
  /**
   * A render thread crashed, ran out of memory, was blocked by another page, or the server closed. The page is retried
   * once, alone.
   *
   * @remarks Check the pages in the message for endless loops, or raise `render.maxHeapBytes`.
   *
   * @example a render thread ended while rendering GET /report: it ran out of memory
   */
  NG_SSR_WORKER_LOST: 503,
  /**
   * A render thread did not start: its program is missing, changed after the start, or failed.
   *
   * @remarks Start the built `server.mjs` as a file, and restart the server after each build. See `cause`.
   *
   * @example /srv/shop/server/server.mjs has changed since this program was started: …
   */
  NG_SSR_WORKER_NOT_STARTED: 500,
  /**
   * A server thread of `listen({ threads })` stopped. Its connections are lost; a new thread starts.
   *
   * @remarks See `cause`.
   *
   * @example a server thread exited: it exited with 1; …
   */
  NG_SSR_THREAD_LOST: 500,
  /**
   * The program did not listen in a server thread, or a lost thread could not be replaced. The server retries.
   *
   * @remarks `server.ts` runs in each thread: put code that must run once under `isMainThread`. Restart the server
   * after each build.
   *
   * @example a server thread ended, because its program did not listen in it: …
   */
  NG_SSR_THREAD_NOT_STARTED: 500,
  /**
   * `listen({ threads })` is limited to one thread on this platform, runtime or Node version, with your own `server` or
   * socket, in a worker of node:cluster, or at a second `listen`. With `'auto'` this is a notice.
   *
   * @remarks Use `node:cluster` to serve on several cores.
   *
   * @example listen({ threads }) is not available: …
   */
  NG_SSR_THREADS_UNAVAILABLE: 500,
  /**
   * With `render.threads` or `listen({ threads })`, `requestContext` returned a value that cannot be sent to another
   * thread.
   *
   * @remarks Return plain data that `structuredClone()` accepts: no functions, and no objects of the framework.
   *
   * @example GET /account failed: its requestContext cannot be cloned …
   */
  NG_SSR_CONTEXT_NOT_CLONEABLE: 500,

  // Built files
  /**
   * The browser folder of the build is missing, or `files.folder` is the folder above it.
   *
   * @remarks Deploy the folders `browser` and `server` together, or set `files.folder`.
   *
   * @example the browser files of the build are missing: …
   */
  NG_SSR_BROWSER_FOLDER_MISSING: 500,
  /**
   * The built files cannot be read at start, or `prerendered-routes.json` is not as the Angular CLI writes it.
   *
   * @remarks Check the permissions of the folder, and that no deploy removes files during a start.
   *
   * @example files.folder "/srv/shop/browser" cannot be read: …
   */
  NG_SSR_INDEX_FAILED: 500,
  /**
   * A large file, which is read at each request, cannot be read any more.
   *
   * @remarks Deploy each build into its own folder.
   *
   * @example GET /video.mp4: /srv/shop/browser/video.mp4 cannot be read
   */
  NG_SSR_FILE_UNREADABLE: 500,
  /**
   * Some responses are sent unencoded: compression failed, or text files are larger than the limits.
   *
   * @remarks If the message names sizes, raise `files.maxFileBytes` or `files.maxBytes`. Otherwise `cause` is the error
   * of zlib.
   *
   * @example /assets/data.json (9437184 bytes): sent without a content encoding. …
   */
  NG_SSR_ENCODING_FAILED: 500,
  /**
   * `withDictionaries()` has no effect: zlib of this runtime lacks dictionaries.
   *
   * @remarks Use Node 24.21 or later, or remove the feature.
   *
   * @example withDictionaries() has no effect: …
   */
  NG_SSR_DICTIONARIES_UNAVAILABLE: 500,
  /**
   * Files of other builds (`withOldBuilds()`) cannot be read or written. The server's own files are not affected.
   *
   * @remarks Check the permissions and space of the folder, or Redis. See [deploys](deploys.md).
   *
   * @example withOldBuilds.folder /var/lib/shop/builds cannot be used: …
   */
  NG_SSR_BUILDS_UNAVAILABLE: 500,
  /**
   * The pack or manifest of the build is damaged, or from another version of ng-ssr. A server on Node compresses the
   * files itself; one that needs the manifest does not start.
   *
   * @remarks Run `ng-ssr pack` again, with the server's version of ng-ssr.
   *
   * @example /srv/shop/ng-ssr/manifest.json is not used, …
   */
  NG_SSR_PACK_INVALID: 500,
  /**
   * Notice: files changed after the build was packed. The server compresses them itself.
   *
   * @remarks Run `ng-ssr pack` after all changes to the files. Ignore files that are written when a container starts.
   *
   * @example /config.js: changed or added after the build was packed, …
   */
  NG_SSR_PACK_STALE: 500,
  /**
   * `ng-ssr pack` cannot write its files.
   *
   * @remarks Check the permissions and free space of the output path.
   *
   * @example dist/shop/ng-ssr cannot be written: …
   */
  NG_SSR_PACK_FAILED: 500,
  /**
   * `ng-ssr` was called with an unknown command or option, or a wrong value.
   *
   * @remarks See `ng-ssr --help`.
   *
   * @example there is no command "pakc"
   */
  NG_SSR_COMMAND_INVALID: 500,
  /**
   * A command of `ng-ssr` cannot connect: no program listens, its certificate is not trusted, or it does not respond in
   * time.
   *
   * @remarks Start the server, or correct the address.
   *
   * @example http://localhost:4000/_ng-ssr/inspector/state cannot be reached: …
   */
  NG_SSR_SERVER_UNREACHABLE: 500,
  /**
   * The server did not send what a command of `ng-ssr` needs.
   *
   * @remarks After 401, use the server's token. Otherwise add the feature that the message names; pass its path if it is not
   * the default, and an allowed host with `--host`.
   *
   * @example http://localhost:4000/_ng-ssr/inspector/state responded with 401: …
   */
  NG_SSR_SERVER_ANSWER_INVALID: 500,

  // Cached pages
  /**
   * A cached page or API response could not be renewed. The stale one is served as long as allowed; the time to the
   * next try grows.
   *
   * @remarks See `cause`.
   *
   * @example the cached page /products/3 could not be re-rendered; …
   */
  NG_SSR_REFRESH_FAILED: 500,
  /**
   * A page of `withPrewarm()` did not render, or its sitemap cannot be read, is empty or has entries that are not
   * absolute URLs.
   *
   * @remarks Remove the path from the list, or fix the error of its render.
   *
   * @example /products/999 is not prewarmed: its status is 404
   */
  NG_SSR_PREWARM_FAILED: 500,
  /**
   * Redis or the SQLite file fails or does not respond. Until it does, each process renders its own pages. If it does
   * not confirm a purge, `purge()` rejects. Reported once per outage.
   *
   * @remarks Check the store, and repeat the purge. See [@ng-ssr/redis](../packages/redis/README.md) and
   * [@ng-ssr/sqlite](../packages/sqlite/README.md).
   *
   * @example Redis at redis://localhost:6379 is unreachable: …
   */
  NG_SSR_STORE_UNAVAILABLE: 503,
  /**
   * The CDN did not confirm a purge, and may still serve old pages.
   *
   * @remarks Purge again. The message has the response of the CDN. See [CDN](cdn.md).
   *
   * @example fastly did not confirm the purge of the tag products; …
   */
  NG_SSR_EDGE_UNAVAILABLE: 503,
  /**
   * A purge does not have exactly one of `path`, `prefix` and `tag`, or is not JSON.
   *
   * @remarks Send for example `{ "tag": "products" }`. A path starts with `/` and has no query.
   *
   * @example the purge is {"path":"products"}; …
   */
  NG_SSR_PURGE_INVALID: 400,
  /**
   * A request to the purge endpoint has no token, or a wrong one.
   *
   * @remarks Send `Authorization: Bearer <token>` with the token of `withPurgeEndpoint()`.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PURGE_UNAUTHORIZED
   */
  NG_SSR_PURGE_UNAUTHORIZED: 401,
  /**
   * A request to the inspector has no token and no session, or comes from another site.
   *
   * @remarks Send `Authorization: Bearer <token>` with the token of `withInspector()`, or sign in at its path.
   *
   * @example 401 Unauthorized
   */
  NG_SSR_INSPECTOR_UNAUTHORIZED: 401,
  /**
   * A request to the inspector has an unknown query or body.
   *
   * @remarks Use a value that the message allows.
   *
   * @example the query has sort "size"; …
   */
  NG_SSR_INSPECTOR_INVALID: 400,

  // Calls of pages
  /**
   * An API call failed: no connection, a broken connection, or a redirect that cannot be followed. The page gets the
   * error. Reported once per rule, as is the first status from 500.
   *
   * @remarks See `cause`. If the API fails at times, use `retries`, or `cache` with `staleIfError`. For your own
   * origin, use `inProcess`. See [calls](calls.md).
   *
   * @example GET https://cms.example/articles, called by GET /blog, failed: …
   */
  NG_SSR_CALL_FAILED: 500,
  /**
   * An API call took longer than `timeoutMs` of its rule. Reported once per rule.
   *
   * @remarks Handle the error in the page, or cache the response with `staleIfError`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, took longer than 800 ms …
   */
  NG_SSR_CALL_TIMEOUT: 500,
  /**
   * A call was stopped because its render ended (with the visitor's credentials) or timed out, or the server closed. Or
   * a page called a relative URL after its render.
   *
   * @remarks Make the page wait: `HttpClient` and resources do; wrap plain `fetch` in `PendingTasks.run`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, was in flight …
   */
  NG_SSR_CALL_ENDED: 500,
  /**
   * `concurrency` calls to an origin were running, and `maxQueued` waited.
   *
   * @remarks Share responses (`cache`, `dedupe`), or raise the limits if the API can handle it.
   *
   * @example GET https://cms.example/articles, called by GET /blog, found a full queue of 100 calls …
   */
  NG_SSR_CALL_OVERLOADED: 500,
  /**
   * The body of an API response is larger than `maxBytes` of its rule.
   *
   * @remarks Request less data, or raise `maxBytes`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, has a body of more than …
   */
  NG_SSR_CALL_TOO_LARGE: 500,
  /**
   * A page calls an API of this server in process, which fetches that page or another page that waits for it.
   *
   * @remarks Do not fetch the page in the API. The message shows the chain.
   *
   * @example pages and calls wait for each other: …
   */
  NG_SSR_CALL_LOOP: 508,
  /**
   * Notice: a call costs its page time or bytes, did not get the headers that its rule forwards, or is not cached.
   * Reported once per rule.
   *
   * @remarks Follow the message.
   *
   * @example GET /blog: its 4 calls took 480 ms one after another, …
   */
  NG_SSR_CALL_NOTICE: 500,
  /**
   * Notice under `ng serve`: a build would not cache this page, and the `detail` of Cache-Status says why. Reported
   * once per route.
   *
   * @remarks If all visitors may get the same page, add the rule in the message.
   *
   * @example /products/* would not be cached in production: …
   */
  NG_SSR_PAGE_NOT_CACHED: 500,

  // Running and ending
  /**
   * The check of `probes.ready` failed, returned false or took too long. Reported once per reason.
   *
   * @remarks See `cause`.
   *
   * @example probes.ready: the check took longer than 1000 ms
   */
  NG_SSR_NOT_READY: 503,
  /**
   * `onClose`, or the shutdown of a feature, failed. The server is closed nevertheless.
   *
   * @remarks See `cause`.
   *
   * @example onClose failed
   */
  NG_SSR_CLOSE_FAILED: 500,
  /**
   * `write` of `withRequestLog()` failed: its entries are lost.
   *
   * @remarks See `cause`.
   *
   * @example withRequestLog.write failed: 128 requests were not logged
   */
  NG_SSR_LOG_FAILED: 500,
} as const;
