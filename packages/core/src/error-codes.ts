/**
 * Every code of an ng-ssr error, with the status that a client gets if the error reaches one. The comments are the text
 * of docs/errors.md: when an error happens, what to do about it, and a message as an example.
 */
export const ERROR_CODES = {
  // Options and start
  /**
   * An option has a wrong value, or does not go with another option. In most cases the server does not start.
   *
   * @remarks The message names the option, its value and the allowed values. See [options](options.md).
   *
   * @example cache.maxBytes is -1 (number); allowed: a whole number of bytes, 1 or more
   */
  NG_SSR_OPTION_INVALID: 500,
  /**
   * An option has an unknown name, such as a misspelled one. The server does not start.
   *
   * @remarks Use the name that the message suggests. If the option became a feature, the message shows the line to write.
   * Servers for platforms without Node reject options that need Node.
   *
   * @example there is no option cache.maxByte. Did you mean cache.maxBytes? The options are maxBytes, languages, …
   */
  NG_SSR_OPTION_UNKNOWN: 500,
  /**
   * The program failed before its server listened: the port is in use, or its code threw. The process exits with 1.
   *
   * @remarks If the message does not name the cause, the error and its stack follow.
   *
   * @example port 4000 is in use: stop the other program, or choose another port (PORT or listen.port) (EADDRINUSE)
   */
  NG_SSR_START_FAILED: 500,
  /**
   * The started program does not contain the Angular application: it was not built, or its bundle lacks `@ng-ssr/engines`
   * or `@angular/ssr`.
   *
   * @remarks Build with `@angular/build:application`, keep both packages out of `externalDependencies`, and start the built
   * `server.mjs`. `appEngine()` needs `"outputMode": "server"`; without it use `commonEngine()`.
   *
   * @example appEngine(): this program does not contain the Angular application. Build it with the …
   */
  NG_SSR_ENGINE_NOT_BUILT: 500,
  /**
   * This version of Angular is not supported.
   *
   * @remarks Run the command in the message, or update ng-ssr.
   *
   * @example this application has Angular 21.1.5; supported: 21.2.9 and later. Run "npx ng update @angular/core@21 …
   */
  NG_SSR_ANGULAR_UNSUPPORTED: 500,
  /**
   * This version of Angular is supported, but this version of ng-ssr is not tested with it. The server works as usual.
   *
   * @remarks Compare your pages with Angular's: `ng-ssr doctor --compare`. Update ng-ssr when a newer version is tested
   * with it.
   *
   * @example this version of ng-ssr is not tested with Angular 22.3.0 (tested: 21.2.9 to 21.2.24, …
   */
  NG_SSR_ANGULAR_UNTESTED: 500,
  /**
   * This version of Angular lacks an internal member that the engines use. If pages can be rendered without it, they take
   * longer and the error is one line in the log.
   *
   * @remarks Update ng-ssr. Until then, use a version of Angular that it supports.
   *
   * @example this version of Angular has no AngularServerApp#manifest.bootstrap: …
   */
  NG_SSR_ANGULAR_CHANGED: 500,
  /**
   * This version of Node writes responses with other bytes than expected, so Node itself writes cached responses. They only
   * cost more.
   *
   * @remarks Update ng-ssr to make them fast again. Nothing else changes.
   *
   * @example Node.js v27.0.0 writes answers otherwise than expected: … Hits take the usual way
   */
  NG_SSR_NODE_CHANGED: 500,
  /**
   * The bundle of a server for Node was made with the export conditions of another platform.
   *
   * @remarks Add `node` to the export conditions of your bundler, or use `createNeutralSsrHandler` of
   * `@ng-ssr/fetch/neutral`.
   *
   * @example this server needs Node, and its bundle was made for another platform: …
   */
  NG_SSR_PLATFORM_INVALID: 500,
  /**
   * The addon that computes ETags did not load. WebAssembly computes the same ETags, some microseconds slower per page.
   * Reported once, after start.
   *
   * @remarks Install `@ng-ssr/etag` where the server runs, since a server bundle contains no native code. If there is no
   * addon for your platform, set `NG_SSR_ETAG=js` to turn the notice off.
   *
   * @example The addon of @ng-ssr/etag is not installed here, so WebAssembly makes the ETags, some microseconds slower. …
   */
  NG_SSR_ADDON_UNAVAILABLE: 500,
  /**
   * A member of `withPublicConfig()` looks like a secret, or a prerendered page is too large for memory and is rendered for
   * each request instead. The server runs.
   *
   * @remarks Keep secrets out of `withPublicConfig()`: every visitor can read it. Rename a member that is public. For large
   * pages, raise `files.maxFileBytes` or `files.maxBytes`.
   *
   * @example withPublicConfig.apiKey: looks like a secret, and everybody can read withPublicConfig() in every page. …
   */
  NG_SSR_PUBLIC_CONFIG_NOTICE: 500,

  // Hosts and requests
  /**
   * No host is allowed, or in production only localhost. Requests for other hosts get 400. Reported at start.
   *
   * @remarks Set `allowedHosts`, `NG_ALLOWED_HOSTS=shop.example`, or `security.allowedHosts` in angular.json. Ignore it if
   * your proxy sends `Host: localhost`. See [hosts](hosts.md).
   *
   * @example No host is allowed: requests for other hosts get 400. Set allowedHosts, NG_ALLOWED_HOSTS=shop.example, or security.allowedHosts in angular.json.
   */
  NG_SSR_HOSTS_MISSING: 500,
  /**
   * The host of the request (Host, `:authority` or a trusted Forwarded header) is missing, repeated or malformed (RFC 9110
   * section 7.2).
   *
   * @remarks Check which host your proxy sends. The request is not reported.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_HOST_MALFORMED
   */
  NG_SSR_HOST_MALFORMED: 400,
  /**
   * The host of the request is not in `allowedHosts`, the function `allowedHosts` refused it, or its port is not that of
   * the server. Each host is reported once, at most 20.
   *
   * @remarks If the host is yours, add it to `allowedHosts`, with its port if the message names one: see
   * [ports](hosts.md#ports). An IP address means that your proxy does not pass on the host of the client. Other names come
   * from scanners: ignore them.
   *
   * @example The host old-shop.example is not in allowedHosts: add it to the option, to NG_ALLOWED_HOSTS, or to security.allowedHosts in angular.json. …
   */
  NG_SSR_HOST_NOT_ALLOWED: 400,
  /**
   * The function `allowedHosts` threw, rejected, took too long or returned no boolean. Hosts that it allowed in the last
   * hour stay allowed. Reported at most once a minute.
   *
   * @remarks `cause` is the error of your function. See [hosts](hosts.md).
   *
   * @example allowedHosts did not decide on the host shop.example: … The next request asks again. This is reported once a minute.
   */
  NG_SSR_HOST_UNDECIDED: 503,
  /**
   * The path of the request is ambiguous: it does not start with one `/`, or contains dot segments, backslashes, a
   * fragment, broken escapes or characters outside RFC 3986 (RFC 9112 section 3.2.1).
   *
   * @remarks Ignore it: in most cases the client is a scanner. The request is not reported.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_TARGET_MALFORMED
   */
  NG_SSR_TARGET_MALFORMED: 400,
  /**
   * A page was requested with a method other than GET and HEAD and none of your routes handled it, or the purge endpoint
   * with one other than POST. `Allow` lists the methods.
   *
   * @remarks Register a route for this method and path before the pages.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_METHOD_NOT_ALLOWED
   */
  NG_SSR_METHOD_NOT_ALLOWED: 405,
  /**
   * No file, page or route has this path. The response is the 404 page of the build, if there is one. Missing hashed files
   * get a short text that is not cached.
   *
   * @remarks For a page, check the routes of the application. For scripts of earlier builds, see [deploys](deploys.md).
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_NOT_FOUND
   */
  NG_SSR_NOT_FOUND: 404,
  /**
   * Accept-Encoding excludes every encoding of the response, including identity (RFC 9110 section 12.5.3).
   *
   * @remarks Change the client: it sends `identity;q=0` or `*;q=0`.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_NOT_ACCEPTABLE
   */
  NG_SSR_NOT_ACCEPTABLE: 406,
  /**
   * A Range starts after the end of the file (RFC 9110 section 15.5.17). Content-Range has its length.
   *
   * @remarks The client expects a longer file: request it again without Range.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_RANGE_NOT_SATISFIABLE
   */
  NG_SSR_RANGE_NOT_SATISFIABLE: 416,
  /**
   * If-Match or If-Unmodified-Since does not match the current version (RFC 9110 section 13.1).
   *
   * @remarks The client has another version: fetch it again.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PRECONDITION_FAILED
   */
  NG_SSR_PRECONDITION_FAILED: 412,
  /**
   * A browser prefetched a page (`Sec-Purpose: prefetch`) that would need a render. The visit itself is not affected.
   *
   * @remarks Nothing to do. To render prefetched pages, set `render.prefetch`.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PREFETCH_REFUSED
   */
  NG_SSR_PREFETCH_REFUSED: 503,
  /**
   * One of your routes or middlewares failed, or a response could not be written.
   *
   * @remarks The message names the request, and `cause` is the error.
   *
   * @example POST /api/orders failed
   */
  NG_SSR_HANDLER_FAILED: 500,
  /**
   * A feature in `features` threw, or returned something other than a response. If its installation fails, the server does
   * not start; if a request fails, it gets 500. If its `start` fails, the server runs, and a feature with `delaysReady`
   * keeps the ready probe at 503.
   *
   * @remarks `cause` is the error of the feature. See [features](features.md#rules).
   *
   * @example the feature sessions could not start
   */
  NG_SSR_FEATURE_FAILED: 500,

  // Rendering
  /**
   * The application did not start for this page, or the navigation failed. With `failOnError: true`, the page has any
   * error. Also if the engine cannot start, or is used before `setup()`.
   *
   * @remarks `cause` is the error with the stack of the application; `errorDetails` shows it in the browser. For `window is
   * not defined` and similar errors, see [these examples](page-errors.md#window-is-not-defined). See also [errors of
   * pages](page-errors.md).
   *
   * @example GET /products/3 failed
   */
  NG_SSR_RENDER_FAILED: 500,
  /**
   * The body of the engine's response failed, or is larger than 64 MiB.
   *
   * @remarks `cause` is the error. Check the stream that your own engine returns.
   *
   * @example GET /products/3 failed
   */
  NG_SSR_BODY_FAILED: 500,
  /**
   * A page left an error unhandled: in a template, a hook, an effect, a rejected promise or a timer. The page is sent as
   * Angular sends it, but is not cached. With `failOnError: true` it is a 500.
   *
   * @remarks Handle the error in the component or service that `cause` names. For `window is not defined` and similar
   * errors, see [these examples](page-errors.md#window-is-not-defined). `onError` gets each error; the log shows it once in
   * ten minutes per page.
   *
   * @example GET /products/3 (https://shop.example/products/3) has left an error unhandled: HttpErrorResponse: Http failure response for /api/offers: 502 Bad Gateway
   */
  NG_SSR_ERROR_UNHANDLED: 500,
  /**
   * A page set a status outside 200 to 599, or a header with a character that cannot be sent (RFC 9110 section 5.5). Or
   * your own engine returned undefined (reported once) or something other than a Response.
   *
   * @remarks Set a valid status in `RESPONSE_INIT`, and encode data before you put it into a header. Return a Response or
   * null from your own engine.
   *
   * @example GET /products/3: the engine's status is 99; allowed: 200 to 599
   */
  NG_SSR_RESPONSE_INVALID: 500,
  /**
   * In development: a page whose rule caches it for all visitors reads a request header that is not in the rule's `vary`.
   * In production the header is missing.
   *
   * @remarks Add the header to `vary` of the rule, or remove `sMaxAge` and `freshness` from the rule.
   *
   * @example /account reads the request's cookie, but its stored pages do not vary on it: name it in the vary of the route's rule, or remove sMaxAge and freshness from the rule
   */
  NG_SSR_REQUEST_NOT_SHARED: 500,
  /**
   * A function `ssr` of `routeRules` threw, or did not return a boolean. The page is rendered. Reported once.
   *
   * @remarks `cause` is the error of your function. See [render rules](render-rules.md).
   *
   * @example a function "ssr" of routeRules threw. The page was rendered, as are others when it fails; this is reported once
   */
  NG_SSR_RENDER_RULE_FAILED: 500,
  /**
   * Rules have `ssr`, but the build has no `index.csr.html` that fits into memory. These pages are rendered for all
   * requests.
   *
   * @remarks Deploy `index.csr.html` in the browser folder, or raise `files.maxFileBytes`. See [render
   * rules](render-rules.md).
   *
   * @example routeRules has "ssr" for /search, but the build has no index.csr.html that is held in memory (files.maxFileBytes): these pages are rendered for all requests
   */
  NG_SSR_CSR_PAGE_MISSING: 500,
  /**
   * A page cannot get its own nonce: the engine compressed it, a header repeats the nonce, or the page contains the
   * placeholder. Also a notice at start about pages that are too large for memory.
   *
   * @remarks Leave compression to the server. Your own engine must call `markNonces()`, as `appEngine()` and
   * `commonEngine()` do. For large pages, raise `files.maxFileBytes` or `files.maxBytes`.
   *
   * @example GET /products/3: the engine sends the page encoded as gzip, so no nonce can be put into it
   */
  NG_SSR_NONCE_UNFILLED: 500,
  /**
   * More renders were requested than `render.concurrency` and `render.maxQueued` allow, and the request got no fallback.
   * Also during shutdown. Reported at most once in ten seconds, with the number of requests.
   *
   * @remarks Cache more pages (`routeRules`), add capacity, or allow fallbacks (`render.fallbacks`). Clients get
   * `Retry-After: 1`.
   *
   * @example 42 requests got no page in time; the last one: GET /search?q=lamp was not rendered: the render queue had no place for it in time (render.concurrency, render.maxQueued)
   */
  NG_SSR_OVERLOADED: 503,
  /**
   * A page was not ready within `render.maxWaitMs`, or `maxWaitMs` of its rule. The render continues, and its page is
   * cached if possible.
   *
   * @remarks Find out what the page waits for: `withServerTiming()` shows its API calls. Cache the page, or raise the
   * deadline of its route.
   *
   * @example GET /search?q=lamp took longer than 3000 ms
   */
  NG_SSR_DEADLINE_PASSED: 503,
  /**
   * A render took longer than `render.timeoutMs` and was stopped.
   *
   * @remarks In most cases an API call does not end: limit it with `timeoutMs` of `withCalls()`. See [calls](calls.md).
   *
   * @example GET /products/3 timed out: its render took longer than 30000 ms (render.timeoutMs)
   */
  NG_SSR_RENDER_TIMEOUT: 503,
  /**
   * From now on, the engine renders a route with Angular's own DOM, which takes longer: its pages use an API that the fast
   * DOM lacks, or a member of Angular's DOM was replaced. Pages are the same. Reported once per route.
   *
   * @remarks Nothing to do. The message names the API; `ng-ssr doctor --compare` finds such routes before a deployment.
   *
   * @example pages of /report are rendered with Angular's own DOM, which takes longer: @ng-ssr/dom has no Element.prototype.attachShadow
   */
  NG_SSR_FAST_LEFT: 500,
  /**
   * A page needs Angular's own DOM, but its render may have sent a request that must not be repeated (RFC 9110 section
   * 9.2.1), such as a POST. The request gets a stale page, the CSR page or 503. Later requests for the route work.
   *
   * @remarks This happens once per route. To avoid it, set `fast: false` of the engine. Node before 24 does not report
   * requests of `node:http2`: there such a request is sent twice.
   *
   * @example pages of /report need Angular's own DOM (@ng-ssr/dom has no Element.prototype.attachShadow), and this render may have sent POST https://api.example/views: it is not repeated
   */
  NG_SSR_RENDER_NOT_REPEATED: 503,

  // Threads
  /**
   * A render thread stopped during a render: it crashed, ran out of memory, was blocked by another page, or the server
   * closed. The page is retried once, alone.
   *
   * @remarks The message names the pages and the reason. A page that stops its thread each time has an endless loop, or
   * needs more than `render.maxHeapBytes`.
   *
   * @example a render thread ended while rendering GET /report: it ran out of memory
   */
  NG_SSR_WORKER_LOST: 503,
  /**
   * A render thread did not start: its program is missing, changed after the server started, or failed.
   *
   * @remarks Start the built `server.mjs` as a file, and restart the server after each build. `cause` is the error of the
   * program.
   *
   * @example /srv/shop/server/server.mjs has changed since this program was started: restart it
   */
  NG_SSR_WORKER_NOT_STARTED: 500,
  /**
   * A server thread of `listen({ threads })` stopped. Its connections are lost; a new thread starts.
   *
   * @remarks `cause` is the error that stopped it.
   *
   * @example a server thread has ended: it ended with exit code 1; its successor starts in 500 ms
   */
  NG_SSR_THREAD_LOST: 500,
  /**
   * The program did not listen in a server thread, or a lost thread could not be replaced; the server retries.
   *
   * @remarks `server.ts` runs in each thread: put code that must run once under `isMainThread` of node:worker_threads.
   * Restart the server after each build.
   *
   * @example a server thread has ended, and its program did not listen in it: it ended with exit code 1
   */
  NG_SSR_THREAD_NOT_STARTED: 500,
  /**
   * `listen({ threads })` supports only one thread here: another runtime or platform, an older Node, your own `server` or
   * socket, a worker of node:cluster, or a second `listen`. With `'auto'` this is a notice, and one thread serves.
   *
   * @remarks The message has the reason. Use `node:cluster` to serve on several cores.
   *
   * @example listen({ threads }) is not available: darwin does not spread connections; use node:cluster to serve on several cores
   */
  NG_SSR_THREADS_UNAVAILABLE: 500,
  /**
   * `requestContext` returned a value that cannot be sent to another thread, with `render.threads` or `listen({ threads
   * })`.
   *
   * @remarks Return plain data that `structuredClone()` accepts: no functions, and no objects of the framework.
   *
   * @example GET /account failed: its requestContext cannot be cloned for a render thread; allowed with render.threads: values that structuredClone() takes, …
   */
  NG_SSR_CONTEXT_NOT_CLONEABLE: 500,

  // Built files
  /**
   * The server or `ng-ssr pack` does not find the browser folder of the build, or `files.folder` is the folder above it.
   *
   * @remarks Deploy the folders `browser` and `server` together, or set `files.folder`. With an empty folder, no files are
   * served.
   *
   * @example the browser files of the build are missing: there is no /srv/shop/browser. Deploy the folders browser and server of the build together, …
   */
  NG_SSR_BROWSER_FOLDER_MISSING: 500,
  /**
   * The built files cannot be read at start, or `prerendered-routes.json` is not as the Angular CLI writes it.
   *
   * @remarks Check the permissions of the folder, and that a deploy does not remove files while the server starts.
   *
   * @example files.folder "/srv/shop/browser" cannot be read: EACCES: permission denied, …
   */
  NG_SSR_INDEX_FAILED: 500,
  /**
   * A large file, which is read when it is requested, cannot be read any more.
   *
   * @remarks Deploy each build into its own folder, so that the files of a running server do not change.
   *
   * @example GET /video.mp4: /srv/shop/browser/video.mp4 cannot be read
   */
  NG_SSR_FILE_UNREADABLE: 500,
  /**
   * Some responses are sent unencoded: compression failed, or text files are larger than the limits.
   *
   * @remarks If the message names sizes, raise `files.maxFileBytes` or `files.maxBytes`. Otherwise `cause` is the error of
   * zlib.
   *
   * @example /assets/data.json (9437184 bytes): sent without a content encoding. …
   */
  NG_SSR_ENCODING_FAILED: 500,
  /**
   * `withDictionaries()` has no effect: zlib of this runtime lacks dictionaries for Brotli and Zstandard. Responses are
   * compressed without them.
   *
   * @remarks Use Node 24.21 or later, or remove the feature.
   *
   * @example withDictionaries() has no effect: the zlib of this runtime has no dictionaries for Brotli and Zstandard. Node 24.21 has both
   */
  NG_SSR_DICTIONARIES_UNAVAILABLE: 500,
  /**
   * Files of other builds (`withOldBuilds()`) cannot be read or written: the folder or Redis is unavailable, full or
   * damaged. The server's own files are not affected.
   *
   * @remarks Check the folder's permissions and space, or Redis. See [deploys](deploys.md).
   *
   * @example withOldBuilds.folder /var/lib/shop/builds cannot be used: other servers cannot answer the files of this build
   */
  NG_SSR_BUILDS_UNAVAILABLE: 500,
  /**
   * The pack or the manifest of the build is damaged, or from another version of ng-ssr. A server on Node compresses the
   * files itself; a server that needs the manifest does not start.
   *
   * @remarks Run `ng-ssr pack` again, with the server's version of ng-ssr.
   *
   * @example /srv/shop/ng-ssr/manifest.json is not used, and the files are encoded now: … Run ng-ssr pack again
   */
  NG_SSR_PACK_INVALID: 500,
  /**
   * Files changed after the build was packed. The server compresses them itself.
   *
   * @remarks Run `ng-ssr pack` after all changes to the built files. Ignore it for a file that is written when a container
   * starts.
   *
   * @example /config.js: changed or added since the build was packed, so encoded now. Run ng-ssr pack after all changes of the built files
   */
  NG_SSR_PACK_STALE: 500,
  /**
   * `ng-ssr pack` cannot write its files.
   *
   * @remarks Check the permissions and the free space of the output path.
   *
   * @example dist/shop/ng-ssr cannot be written: EACCES: permission denied, …
   */
  NG_SSR_PACK_FAILED: 500,
  /**
   * `ng-ssr` was called with an unknown command or option, or with a wrong value.
   *
   * @remarks `ng-ssr --help` lists the commands and options.
   *
   * @example there is no command "pakc"
   */
  NG_SSR_COMMAND_INVALID: 500,
  /**
   * A command of `ng-ssr` cannot connect to the server.
   *
   * @remarks The message has the reason: no program listens at the address, its certificate is not trusted, or it does not
   * respond in time.
   *
   * @example http://localhost:4000/_ng-ssr/inspector/state cannot be reached: no program listens there (ECONNREFUSED)
   */
  NG_SSR_SERVER_UNREACHABLE: 500,
  /**
   * The server did not send what a command of `ng-ssr` needs.
   *
   * @remarks 401: use the server's token. Otherwise add `withInspector()` to the server's features, pass its path with
   * `--inspector-path`, and an allowed host with `--host`.
   *
   * @example http://localhost:4000/_ng-ssr/inspector/state responded with 401: wrong token: use the same token as the server
   */
  NG_SSR_SERVER_ANSWER_INVALID: 500,

  // Stored pages
  /**
   * A cached page, or a cached response of an API call, could not be renewed. The stale one is served as long as allowed,
   * and the time to the next try grows.
   *
   * @remarks `cause` is the error of the render or the call.
   *
   * @example the stored page /products/3 could not be re-rendered; retry in 1000 ms
   */
  NG_SSR_REFRESH_FAILED: 500,
  /**
   * A page of `withPrewarm()` did not render, or its sitemap cannot be read, lists no pages or contains entries that are
   * not absolute URLs. Other pages are rendered.
   *
   * @remarks Remove the path from the list, or fix the error that the render reported.
   *
   * @example /products/999 is not prewarmed: its status is 404
   */
  NG_SSR_PREWARM_FAILED: 500,
  /**
   * The page store (Redis or the SQLite file) fails or does not respond. Until it does, each process renders its own pages.
   * If it does not confirm a purge, `purge()` rejects, because other processes may still serve the pages.
   *
   * @remarks Check the store, and repeat the purge. Reported once per outage. See
   * [@ng-ssr/redis](../packages/redis/README.md) and [@ng-ssr/sqlite](../packages/sqlite/README.md).
   *
   * @example Redis at redis://localhost:6379 is unreachable: until it responds, each process renders its own pages
   */
  NG_SSR_STORE_UNAVAILABLE: 503,
  /**
   * The CDN did not confirm a purge, and may still serve the old pages.
   *
   * @remarks Purge again. The message names the CDN and its response. See [CDN](cdn.md).
   *
   * @example fastly did not confirm the purge of the tag products; it may still serve the old pages, for as long as they were to be kept: try again (POST https://api.fastly.com/service/… 503)
   */
  NG_SSR_EDGE_UNAVAILABLE: 503,
  /**
   * A purge names none or several of `path`, `prefix` and `tag`, or is not JSON.
   *
   * @remarks Pass exactly one of them, as in `{ tag: 'products' }`. A path starts with `/` and has no query.
   *
   * @example the purge is {"path":"products"}; allowed: exactly one of path, prefix and tag, … Did you mean {"path":"/products"}?
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
   * A request to the inspector has no token and no session, or comes from a page of another site.
   *
   * @remarks Send `Authorization: Bearer <token>` with the token of `withInspector()`, or sign in at its path.
   *
   * @example 401 Unauthorized
   */
  NG_SSR_INSPECTOR_UNAUTHORIZED: 401,
  /**
   * A request to the inspector has an unknown query or body.
   *
   * @remarks The message has the value and the allowed values.
   *
   * @example the query has sort "size"; allowed: recent, path, age, ttl, bytes, hits, and "-" before it for the other way round
   */
  NG_SSR_INSPECTOR_INVALID: 400,

  // Calls of pages
  /**
   * An API call of a page failed: no connection, a broken connection, or a redirect that cannot be followed. The page gets
   * the error. Reported once per rule, as is the first response with a status from 500.
   *
   * @remarks `cause` is the error of the runtime. If the API fails at times, use `retries`, or `cache` with `staleIfError`.
   * For the server's own origin behind a proxy, use `inProcess`. See [calls](calls.md).
   *
   * @example GET https://cms.example/articles, called by GET /blog, failed: connect ECONNREFUSED 10.0.0.7:443
   */
  NG_SSR_CALL_FAILED: 500,
  /**
   * An API call took longer than `timeoutMs` of its rule. Reported once per rule.
   *
   * @remarks Show something else in the page, or cache the response with `staleIfError`, so that pages get the stale
   * response.
   *
   * @example GET https://cms.example/articles, called by GET /blog, took longer than 800 ms (timeoutMs of its rule)
   */
  NG_SSR_CALL_TIMEOUT: 500,
  /**
   * An API call was stopped: a call with the visitor's credentials when its render ended, another call when the render
   * timed out or the server closed. Or a page called a relative URL after its render.
   *
   * @remarks Make the page wait for the call: `HttpClient` and resources do; wrap plain `fetch` in `PendingTasks.run`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, was in flight when the render ended
   */
  NG_SSR_CALL_ENDED: 500,
  /**
   * `concurrency` calls to an origin were running, and `maxQueued` waited.
   *
   * @remarks Cache or share responses (`cache`, `dedupe`), or raise the limits if the API can handle it.
   *
   * @example GET https://cms.example/articles, called by GET /blog, found 100 calls that wait (maxQueued and concurrency of its rule)
   */
  NG_SSR_CALL_OVERLOADED: 500,
  /**
   * The body of an API response is larger than `maxBytes` of its rule.
   *
   * @remarks Request less data, or raise `maxBytes`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, has a content of more than 1048576 bytes (maxBytes of its rule)
   */
  NG_SSR_CALL_TOO_LARGE: 500,
  /**
   * A page calls an API of this server in process, and the API fetches that page or another page that waits for it.
   *
   * @remarks The message shows the chain. The API must not fetch the page that calls it.
   *
   * @example pages and calls wait for each other: GET /blog -> GET /api/articles -> GET /blog
   */
  NG_SSR_CALL_LOOP: 508,
  /**
   * Nothing failed: a call costs its page time or bytes, did not get what its rule forwards, or is not cached. Each notice
   * is reported once per rule.
   *
   * @remarks Follow the message: make calls in parallel, share them, fetch less, or ask for credentials.
   *
   * @example GET /blog: its 4 calls took 480 ms one after another, the first was https://cms.example/articles: those that need nothing of each other can be parallel
   */
  NG_SSR_CALL_NOTICE: 500,
  /**
   * Nothing failed: under `ng serve`, where no page is cached, this page was rendered, and a build would not cache it.
   * Reported once for a route. The `detail` of Cache-Status has the reason, too.
   *
   * @remarks If all visitors may get the same page, add the rule that the message names. Otherwise do nothing.
   *
   * @example /products/* would not be cached in production: the page does not say how long it is fresh: no rule has sMaxAge, and its Cache-Control no s-maxage or max-age. If all visitors may get the same page, add routeRules: { "/products/*": { sMaxAge: 60 } }
   */
  NG_SSR_PAGE_NOT_CACHED: 500,

  // Running and ending
  /**
   * The check of `probes.ready` failed, returned false or took too long, so the probe responds with 503. Reported once per
   * reason.
   *
   * @remarks `cause` is the error of your check.
   *
   * @example probes.ready: the check took longer than 1000 ms
   */
  NG_SSR_NOT_READY: 503,
  /**
   * `onClose` failed. The server is closed all the same.
   *
   * @remarks `cause` is the error of your function.
   *
   * @example onClose failed
   */
  NG_SSR_CLOSE_FAILED: 500,
  /**
   * `write` of `withRequestLog()` failed: its entries are lost.
   *
   * @remarks `cause` is the error of your function.
   *
   * @example withRequestLog.write failed: 128 requests were not logged
   */
  NG_SSR_LOG_FAILED: 500,
} as const;
