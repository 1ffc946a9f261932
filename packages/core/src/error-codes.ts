/**
 * Every code of an ng-ssr error, with the status that a client gets if the error reaches one. The comments are the text
 * of docs/errors.md: when an error happens, how to fix it, and a message as an example.
 */
export const ERROR_CODES = {
  // Options and start
  /**
   * An option has a wrong value, or conflicts with another option.
   *
   * @remarks Use a value that the message allows ([options](options.md)).
   *
   * @example cache.maxBytes is -1 (number); allowed: a whole number of bytes, 1 or more
   */
  NG_SSR_OPTION_INVALID: 500,
  /**
   * An option has an unknown name, or needs Node on a platform without it.
   *
   * @remarks Use the name or feature in the message.
   *
   * @example there is no option cache.maxByte. Did you mean cache.maxBytes? …
   */
  NG_SSR_OPTION_UNKNOWN: 500,
  /**
   * The port is in use, or the program threw before its server listened. `ng-ssr render` also needs a page store.
   *
   * @remarks See the message, or the error after it.
   *
   * @example port 4000 is in use: stop the other program, …
   */
  NG_SSR_START_FAILED: 500,
  /**
   * The program does not contain the Angular application.
   *
   * @remarks Start the `server.mjs` that `@angular/build:application` built, without `@ng-ssr/engines` and `@angular/ssr` in
   * `externalDependencies`. Without `"outputMode": "server"`, use `commonEngine()`; without Angular, import `@ng-ssr/node/server`.
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
   * Notice: ng-ssr is not tested with this version of Angular.
   *
   * @remarks Compare pages with `ng-ssr doctor --compare`, and update ng-ssr.
   *
   * @example this version of ng-ssr is not tested with Angular 22.3.0 …
   */
  NG_SSR_ANGULAR_UNTESTED: 500,
  /**
   * Angular lacks an internal member that the engines use, so pages take longer or fail.
   *
   * @remarks Update ng-ssr, or use a supported version of Angular.
   *
   * @example this version of Angular has no AngularServerApp#manifest.bootstrap: …
   */
  NG_SSR_ANGULAR_CHANGED: 500,
  /**
   * Notice: Node writes other bytes than expected, so cached responses are slower.
   *
   * @remarks Update ng-ssr.
   *
   * @example Node.js v27.0.0 writes responses differently than expected: …
   */
  NG_SSR_NODE_CHANGED: 500,
  /**
   * Node is too old, or the bundle of a server for Node was made for another platform.
   *
   * @remarks Use Node 20.16 or later. Add `node` to the export conditions of your bundler, or use `createNeutralSsrHandler` of
   * `@ng-ssr/fetch/neutral`.
   *
   * @example this server needs Node, …
   */
  NG_SSR_PLATFORM_INVALID: 500,
  /**
   * Notice: the addon for ETags did not load, so WebAssembly computes them, some microseconds slower.
   *
   * @remarks None is needed. Install `@ng-ssr/etag` if it is missing. `NG_SSR_ETAG=js` hides the notice.
   *
   * @example The addon of @ng-ssr/etag is not installed here, …
   */
  NG_SSR_ADDON_UNAVAILABLE: 500,
  /**
   * Notice: `withPublicConfig()` has a likely secret, or a prerendered page too large for memory is rendered for each
   * request.
   *
   * @remarks Remove secrets, because every visitor can read them, or raise `files.maxFileBytes` or `files.maxBytes`.
   *
   * @example withPublicConfig.apiKey: looks like a secret, …
   */
  NG_SSR_PUBLIC_CONFIG_NOTICE: 500,

  // Hosts and requests
  /**
   * At start, no host or in production only localhost is allowed, so other hosts get 400.
   *
   * @remarks Set `allowedHosts`, `NG_ALLOWED_HOSTS=shop.example`, or `security.allowedHosts` in angular.json
   * ([hosts](hosts.md)).
   *
   * @example No host is allowed: …
   */
  NG_SSR_HOSTS_MISSING: 500,
  /**
   * Host, `:authority` or a trusted Forwarded header is missing, repeated or malformed.
   *
   * @remarks Check which host your proxy sends.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_HOST_MALFORMED
   */
  NG_SSR_HOST_MALFORMED: 400,
  /**
   * `allowedHosts` does not allow the host or its port.
   *
   * @remarks Add your own host, with its [port](hosts.md#ports). For an IP address, make your proxy pass on the host.
   * Ignore other names: they come from scanners.
   *
   * @example The host old-shop.example is not in allowedHosts: …
   */
  NG_SSR_HOST_NOT_ALLOWED: 400,
  /**
   * The function `allowedHosts` threw, rejected, took too long or returned no boolean.
   *
   * @remarks See `cause` and [hosts](hosts.md). Hosts allowed in the last hour stay allowed.
   *
   * @example allowedHosts did not decide on the host shop.example: …
   */
  NG_SSR_HOST_UNDECIDED: 503,
  /**
   * The path contains dot segments, backslashes, a fragment, broken escapes or invalid characters, or does not start
   * with one `/`.
   *
   * @remarks Ignore it: most such clients are scanners.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_TARGET_MALFORMED
   */
  NG_SSR_TARGET_MALFORMED: 400,
  /**
   * A page allows only GET and HEAD, the purge endpoint only POST.
   *
   * @remarks Register a route for this method and path before the pages.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_METHOD_NOT_ALLOWED
   */
  NG_SSR_METHOD_NOT_ALLOWED: 405,
  /**
   * No file, page or route has this path.
   *
   * @remarks Check the application's routes. For scripts of earlier builds, see [deploys](deploys.md).
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_NOT_FOUND
   */
  NG_SSR_NOT_FOUND: 404,
  /**
   * Accept-Encoding excludes every encoding of the response.
   *
   * @remarks Remove `identity;q=0` or `*;q=0` from the client.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_NOT_ACCEPTABLE
   */
  NG_SSR_NOT_ACCEPTABLE: 406,
  /**
   * A Range starts after the end of the file.
   *
   * @remarks Request the file again without Range.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_RANGE_NOT_SATISFIABLE
   */
  NG_SSR_RANGE_NOT_SATISFIABLE: 416,
  /**
   * If-Match or If-Unmodified-Since does not match the current version.
   *
   * @remarks Fetch the file again.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PRECONDITION_FAILED
   */
  NG_SSR_PRECONDITION_FAILED: 412,
  /**
   * A browser prefetched a page that would need a render.
   *
   * @remarks None needed. `render.prefetch` renders prefetched pages.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PREFETCH_REFUSED
   */
  NG_SSR_PREFETCH_REFUSED: 503,
  /**
   * One of your routes or middlewares failed, or a response could not be written.
   *
   * @remarks See `cause`.
   *
   * @example POST /api/orders failed
   */
  NG_SSR_HANDLER_FAILED: 500,
  /**
   * A feature threw, or did not return a response.
   *
   * @remarks See `cause` and [features](features.md#rules).
   *
   * @example the feature sessions could not start
   */
  NG_SSR_FEATURE_FAILED: 500,

  // Rendering
  /**
   * The application or engine did not start, or the navigation failed; with `failOnError: true`, any error.
   *
   * @remarks See `cause`, and [errors of pages](page-errors.md), such as [`window is not
   * defined`](page-errors.md#window-is-not-defined).
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
   * A page left an error unhandled: it is sent but not cached, or a 500 with `failOnError: true`.
   *
   * @remarks Handle the error where `cause` points. See [errors of pages](page-errors.md).
   *
   * @example GET /products/3 (https://shop.example/products/3) has left an error unhandled: HttpErrorResponse: …
   */
  NG_SSR_ERROR_UNHANDLED: 500,
  /**
   * A page set an invalid status or header, or your engine did not return a Response or null.
   *
   * @remarks Set a status from 200 to 599 in `RESPONSE_INIT`, and encode data in headers.
   *
   * @example GET /products/3: the engine's status is 99; allowed: 200 to 599
   */
  NG_SSR_RESPONSE_INVALID: 500,
  /**
   * A page of a shared route reads Cookie or Authorization, which the rule's `vary` lacks. With
   * `NODE_ENV=production` they are missing instead.
   *
   * @remarks Add the header to `vary`, or remove `sMaxAge` and `freshness` from the rule.
   *
   * @example /account reads the request's cookie, …
   */
  NG_SSR_REQUEST_NOT_SHARED: 500,
  /**
   * A function `ssr` of `routeRules` threw, or did not return a boolean, so the page is rendered.
   *
   * @remarks See `cause` and [render rules](render-rules.md).
   *
   * @example a function "ssr" of routeRules threw. …
   */
  NG_SSR_RENDER_RULE_FAILED: 500,
  /**
   * Rules have `ssr`, but no `index.csr.html` is in memory, so pages are rendered for all requests.
   *
   * @remarks Deploy `index.csr.html` in the browser folder, or raise `files.maxFileBytes`.
   *
   * @example routeRules has "ssr" for /search, …
   */
  NG_SSR_CSR_PAGE_MISSING: 500,
  /**
   * A page cannot get its nonce: the engine compressed it, a header repeats the nonce, it contains the placeholder, or
   * it is too large for memory.
   *
   * @remarks Leave compression to the server, call `markNonces()` in your own engine, or raise `files.maxFileBytes` or
   * `files.maxBytes`.
   *
   * @example GET /products/3: the engine sends the page encoded as gzip, …
   */
  NG_SSR_NONCE_UNFILLED: 500,
  /**
   * `fill`, `when` or `html` of a slot failed, or `fill` took longer than `timeoutMs`, so the page keeps the fallback
   * or has no HTML.
   *
   * @remarks See `cause`. If an API is slow, raise `timeoutMs`, and pass `signal` to `fetch`.
   *
   * @example the slot cart of /products/3 keeps its fallback: it took longer than 500 ms
   */
  NG_SSR_SLOT_FAILED: 500,
  /**
   * A page of another site requested the endpoint of `withSlots()`.
   *
   * @remarks Do not link to the endpoint, or embed it elsewhere.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_SLOTS_CROSS_SITE
   */
  NG_SSR_SLOTS_CROSS_SITE: 403,
  /**
   * `render.concurrency` and `render.maxQueued` are reached, or the server shuts down, and there is no fallback.
   *
   * @remarks Cache more pages (`routeRules`), add capacity, or allow fallbacks (`render.fallbacks`).
   *
   * @example 42 requests got no page in time; …
   */
  NG_SSR_OVERLOADED: 503,
  /**
   * A page was not ready within `maxWaitMs`; its render continues.
   *
   * @remarks Find slow API calls with `withServerTiming()`, cache the page, or raise `maxWaitMs`.
   *
   * @example GET /search?q=lamp took longer than 3000 ms
   */
  NG_SSR_DEADLINE_PASSED: 503,
  /**
   * A render took longer than `render.timeoutMs` and was stopped.
   *
   * @remarks Set `timeoutMs` of [`withCalls()`](calls.md): in most cases an API call does not end.
   *
   * @example GET /products/3 timed out: …
   */
  NG_SSR_RENDER_TIMEOUT: 503,
  /**
   * Notice: a route's pages use an API that the fast DOM lacks, so Angular's DOM renders them, more slowly.
   *
   * @remarks None needed. `ng-ssr doctor --compare` finds such routes.
   *
   * @example pages of /report are rendered with Angular's own DOM, …
   */
  NG_SSR_FAST_LEFT: 500,
  /**
   * A page needs Angular's DOM, but its render may have sent a request that must not be repeated, such as a POST.
   *
   * @remarks None needed: it happens once per route, and `fast: false` avoids it. **Before Node 24, requests of
   * `node:http2` are sent twice.**
   *
   * @example pages of /report need Angular's own DOM …
   */
  NG_SSR_RENDER_NOT_REPEATED: 503,

  // Threads
  /**
   * A render thread crashed, ran out of memory, was blocked by another page, or the server closed.
   *
   * @remarks Check these pages for endless loops, or raise `maxHeapBytes`. After `EADDRINUSE`, listen only under `isMainModule(import.meta.url)`.
   *
   * @example a render thread ended while rendering GET /report: it ran out of memory
   */
  NG_SSR_WORKER_LOST: 503,
  /**
   * The program of a render thread is missing, changed after the start, failed, or has other features in threads.
   *
   * @remarks Start the built `server.mjs` as a file, listen only under `isMainModule(import.meta.url)`, restart after each build.
   *
   * @example /srv/shop/server/server.mjs has changed since this program was started: …
   */
  NG_SSR_WORKER_NOT_STARTED: 500,
  /**
   * A thread of `withServerThreads()` stopped and lost its connections; a new thread starts.
   *
   * @remarks See `cause`.
   *
   * @example a server thread exited: it exited with 1; …
   */
  NG_SSR_THREAD_LOST: 500,
  /**
   * The program did not listen in a server thread or has other features there, or a lost thread could not be replaced.
   *
   * @remarks Put code that must run once under `isMainThread`, and restart the server after each build.
   *
   * @example a server thread ended, because its program did not listen in it: …
   */
  NG_SSR_THREAD_NOT_STARTED: 500,
  /**
   * `withServerThreads()` needs another platform, runtime or Node version, and does not support middleware, your own
   * `server` or socket, node:cluster, or a second `listen`.
   *
   * @remarks Use `node:cluster` to serve on several cores; in its workers (PM2's cluster mode), remove the feature. With `'auto'` this is a notice.
   *
   * @example withServerThreads() is not available: …
   */
  NG_SSR_THREADS_UNAVAILABLE: 500,
  /**
   * With threads, `requestContext` returned a value that cannot be sent to another thread.
   *
   * @remarks Return plain data that `structuredClone()` accepts.
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
   * The built files cannot be read at start, or `prerendered-routes.json` is invalid.
   *
   * @remarks Check the permissions of the folder, and that no deploy removes files during a start.
   *
   * @example files.folder "/srv/shop/browser" cannot be read: …
   */
  NG_SSR_INDEX_FAILED: 500,
  /**
   * A large file cannot be read any more.
   *
   * @remarks Deploy each build into its own folder.
   *
   * @example GET /video.mp4: /srv/shop/browser/video.mp4 cannot be read
   */
  NG_SSR_FILE_UNREADABLE: 500,
  /**
   * Some responses are sent unencoded: compression failed, or text files are larger than the limits.
   *
   * @remarks If the message names sizes, raise `files.maxFileBytes` or `files.maxBytes`; otherwise see `cause`.
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
   * Files of other builds (`withOldBuilds()`) cannot be read or written.
   *
   * @remarks Check the permissions and space of the folder, or Redis ([deploys](deploys.md)).
   *
   * @example withOldBuilds.folder /var/lib/shop/builds cannot be used: …
   */
  NG_SSR_BUILDS_UNAVAILABLE: 500,
  /**
   * The pack or manifest is damaged, or from another version of ng-ssr.
   *
   * @remarks Run `ng-ssr pack` again, with the server's version of ng-ssr.
   *
   * @example /srv/shop/ng-ssr/manifest.json is not used, …
   */
  NG_SSR_PACK_INVALID: 500,
  /**
   * Notice: files changed after the build was packed, so the server compresses them.
   *
   * @remarks Run `ng-ssr pack` last. Ignore files that are written when a container starts.
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
   * No program listens at the address, its certificate is not trusted, or it does not respond in time.
   *
   * @remarks Start the server, or correct the address.
   *
   * @example http://localhost:4000/_ng-ssr/inspector/state cannot be reached: …
   */
  NG_SSR_SERVER_UNREACHABLE: 500,
  /**
   * The server did not send what a command of `ng-ssr` needs.
   *
   * @remarks After 401, use the server's token. Otherwise add the feature in the message, pass its path, or an allowed
   * host with `--host`.
   *
   * @example http://localhost:4000/_ng-ssr/inspector/state responded with 401: …
   */
  NG_SSR_SERVER_ANSWER_INVALID: 500,

  // Cached pages
  /**
   * A stale page or API response could not be renewed; it is served as long as allowed.
   *
   * @remarks See `cause`.
   *
   * @example the cached page /products/3 could not be re-rendered; …
   */
  NG_SSR_REFRESH_FAILED: 500,
  /**
   * `cache.refresh()` was called without, or with more than one of `path`, `prefix`, `tag` and `urls`, or with a value that is not allowed.
   *
   * @remarks URLs are absolute, as in `{ urls: ['https://shop.example/products/1'] }`.
   *
   * @example the refresh is of the URL "/products/1"; …
   */
  NG_SSR_REFRESH_INVALID: 500,
  /**
   * A page of `withPrewarm()` did not render, or its sitemap is unreadable, empty or without absolute URLs.
   *
   * @remarks Remove the path from the list, or fix its render.
   *
   * @example /products/999 is not prewarmed: its status is 404
   */
  NG_SSR_PREWARM_FAILED: 500,
  /**
   * A sitemap of `ng-ssr render` is unreadable or empty, or lists something besides absolute URLs.
   *
   * @remarks Open the sitemap in a browser. An index lists sitemaps, not further indexes.
   *
   * @example the sitemap https://shop.example/sitemap.xml cannot be read: its status is 404
   */
  NG_SSR_SITEMAP_INVALID: 500,
  /**
   * Redis or the SQLite file does not respond, so each process renders its own pages, and **`purge()` rejects**. Or a
   * folder or bucket of bodies does not: its pages come from the next one or are rendered, and purges work.
   *
   * @remarks Check the store ([Redis](../packages/redis/README.md), [SQLite](../packages/sqlite/README.md),
   * [bodies](../packages/tiered-store/README.md)), and repeat the purge.
   *
   * @example Redis at redis://localhost:6379 is unreachable: …
   */
  NG_SSR_STORE_UNAVAILABLE: 503,
  /**
   * The CDN did not confirm a purge, and may still serve old pages.
   *
   * @remarks Purge again. The message has the response of the [CDN](cdn.md).
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
   * An API call got no connection, a broken one, or a redirect that cannot be followed.
   *
   * @remarks See `cause`. Use `retries`, or `cache` with `staleIfError`; for your own origin, use `inProcess`
   * ([calls](calls.md)).
   *
   * @example GET https://cms.example/articles, called by GET /blog, failed: …
   */
  NG_SSR_CALL_FAILED: 500,
  /**
   * An API call took longer than `timeoutMs` of its rule.
   *
   * @remarks Handle the error in the page, or cache the response with `staleIfError`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, took longer than 800 ms …
   */
  NG_SSR_CALL_TIMEOUT: 500,
  /**
   * A call outlived its render or the server, or a page called a relative URL after its render.
   *
   * @remarks Make the page wait: `HttpClient` and resources do; wrap plain `fetch` in `PendingTasks.run`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, was in flight …
   */
  NG_SSR_CALL_ENDED: 500,
  /**
   * `concurrency` calls to an origin were running, and `maxQueued` waited.
   *
   * @remarks Share responses (`cache`, `dedupe`), or raise the limits.
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
   * A page calls an API of this server in process, which fetches that page or one that waits for it.
   *
   * @remarks Do not fetch the page in the API.
   *
   * @example pages and calls wait for each other: …
   */
  NG_SSR_CALL_LOOP: 508,
  /**
   * Notice: a call costs its page time or bytes, lacks headers that its rule forwards, or is not cached.
   *
   * @remarks Follow the message.
   *
   * @example GET /blog: its 4 calls took 480 ms one after another, …
   */
  NG_SSR_CALL_NOTICE: 500,
  /**
   * Notice under `ng serve`: a build would not cache this page, as the `detail` of Cache-Status says.
   *
   * @remarks If all visitors may get the same page, add the rule in the message.
   *
   * @example /products/* would not be cached in production: …
   */
  NG_SSR_PAGE_NOT_CACHED: 500,

  // Running and ending
  /**
   * The check of `probes.ready` failed, returned false or took too long.
   *
   * @remarks See `cause`.
   *
   * @example probes.ready: the check took longer than 1000 ms
   */
  NG_SSR_NOT_READY: 503,
  /**
   * `onClose`, or the shutdown of a feature, failed; the server is closed nevertheless.
   *
   * @remarks See `cause`.
   *
   * @example onClose failed
   */
  NG_SSR_CLOSE_FAILED: 500,
  /**
   * `write` of `withRequestLog()` failed, and its entries are lost.
   *
   * @remarks See `cause`.
   *
   * @example withRequestLog.write failed: 128 requests were not logged
   */
  NG_SSR_LOG_FAILED: 500,
} as const;
