/**
 * Every code of an ng-ssr error, with the status that a client gets if the error reaches one. The comments are the text
 * of docs/errors.md: when an error happens, what to do about it, and a message as an example.
 */
export const ERROR_CODES = {
  // Options and start
  /**
   * An option has a value that is not allowed, or that does not go with another option. Nearly always the server does
   * not start.
   *
   * @remarks The message names the option, the value that came and what is allowed. All options are in
   * [options](options.md).
   *
   * @example cache.maxBytes is -1 (number); allowed: a whole number of bytes, at least 0
   */
  NG_SSR_OPTION_INVALID: 500,
  /**
   * There is no option of this name, in most cases because of a typing mistake. The server does not start.
   *
   * @remarks The message names the option that is most alike, and lists all. A server for platforms without Node refuses
   * options that need Node. An option that has become a feature is named with the line to write.
   *
   * @example there is no option cache.maxByte. Did you mean cache.maxBytes? The options are maxBytes, languages, …
   */
  NG_SSR_OPTION_UNKNOWN: 500,
  /**
   * The program has failed before its server listened: its port is in use, or its own code has thrown. The process
   * exits with 1.
   *
   * @remarks If the message does not name the address, the error of the program follows it, with its stack.
   *
   * @example port 4000 is in use: stop the other program, or choose another port (PORT or listen.port) (EADDRINUSE)
   */
  NG_SSR_START_FAILED: 500,
  /**
   * The program that was started does not contain the Angular application: it was not built, or `@ng-ssr/engines` or
   * `@angular/ssr` was left out of its bundle.
   *
   * @remarks Build with `@angular/build:application`, keep both packages out of `externalDependencies`, and start the
   * built `server.mjs`. `appEngine()` needs `"outputMode": "server"`; without it use `commonEngine()`.
   *
   * @example appEngine(): this program does not contain the Angular application. Build it with the …
   */
  NG_SSR_ENGINE_NOT_BUILT: 500,
  /**
   * The version of Angular is older or newer than those supported.
   *
   * @remarks Run the command that the message names, or update ng-ssr.
   *
   * @example this application has Angular 21.1.5; supported: 21.2.9 and later. Run "npx ng update @angular/core@21 …
   */
  NG_SSR_ANGULAR_UNSUPPORTED: 500,
  /**
   * This version of Angular is supported, and not among those that this version of ng-ssr is tested with. The server
   * works as usual.
   *
   * @remarks Compare your pages with those of Angular: `ng-ssr doctor --compare`. A newer version of ng-ssr may be tested with
   * it.
   *
   * @example this version of ng-ssr is not tested with Angular 22.3.0 (tested: 21.2.9 to 21.2.24, …
   */
  NG_SSR_ANGULAR_UNTESTED: 500,
  /**
   * This version of Angular lacks something internal that the engines use. Where a page can be rendered without it,
   * the error is one line in the log and pages take the slower way.
   *
   * @remarks Update the packages of ng-ssr; before that, stay with a version of Angular that they support.
   *
   * @example this version of Angular has no AngularServerApp#manifest.bootstrap: …
   */
  NG_SSR_ANGULAR_CHANGED: 500,
  /**
   * This version of Node writes answers in other bytes than expected, so hits are written by Node itself. Only their
   * cost differs.
   *
   * @remarks Nothing has to be done. Update the packages of ng-ssr to get the faster way again.
   *
   * @example Node.js v27.0.0 writes answers otherwise than expected: … Hits take the usual way
   */
  NG_SSR_NODE_CHANGED: 500,
  /**
   * The bundle of a server for Node was made with the export conditions of another platform.
   *
   * @remarks Add `node` to the export conditions of the bundler, or use `createNeutralSsrHandler` of
   * `@ng-ssr/fetch/neutral`.
   *
   * @example this server needs Node, and its bundle was made for another platform: …
   */
  NG_SSR_PLATFORM_INVALID: 500,
  /**
   * The addon that computes ETags did not load. WebAssembly computes the same tags, some microseconds slower for
   * each page. Reported once, after the start.
   *
   * @remarks A server bundle holds no native code: install `@ng-ssr/etag` where the server runs. If the package has no
   * addon for the platform, nothing has to be done. `NG_SSR_ETAG=js` chooses WebAssembly and turns the notice off.
   *
   * @example The addon of @ng-ssr/etag is not installed here, so WebAssembly makes the ETags, some microseconds slower. …
   */
  NG_SSR_ADDON_UNAVAILABLE: 500,
  /**
   * A member of `withPublicConfig()` looks like a secret, or a prerendered page is too large for memory, so that the
   * configuration cannot be put into it and it is rendered for each request. The server runs.
   *
   * @remarks Keep secrets out of `withPublicConfig()`, which everybody can read, and give a public member another name. For
   * large pages raise `files.maxFileBytes` or `files.maxBytes`.
   *
   * @example withPublicConfig.apiKey: looks like a secret, and everybody can read withPublicConfig() in every page. …
   */
  NG_SSR_PUBLIC_CONFIG_NOTICE: 500,

  // Hosts and requests
  /**
   * No host is allowed, or in production only those of the machine itself: requests for others get 400. Reported at
   * start.
   *
   * @remarks Set `allowedHosts`, `NG_ALLOWED_HOSTS=shop.example`, or `security.allowedHosts` in angular.json. Behind a
   * proxy that sends `Host: localhost` nothing has to be done. See [hosts](hosts.md).
   *
   * @example No host is allowed: requests for other hosts get 400. Set allowedHosts, or NG_ALLOWED_HOSTS=shop.example, or security.allowedHosts in angular.json.
   */
  NG_SSR_HOSTS_MISSING: 500,
  /**
   * The host of the request (Host, `:authority`, or a trusted Forwarded header) is missing, comes twice, or is no host
   * with an optional port (RFC 9110 section 7.2).
   *
   * @remarks A client or a proxy sends it so: look at what the proxy passes on. It is answered and not reported.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_HOST_MALFORMED
   */
  NG_SSR_HOST_MALFORMED: 400,
  /**
   * The request is for a host that is not allowed, or that the function `allowedHosts` has refused, or for a port at
   * which the server does not answer. Each host is reported once, 20 at most.
   *
   * @remarks If the host is yours, add it to `allowedHosts`, with its port if the message names one. See
   * [ports](hosts.md#ports). An address in its place means that the proxy does not
   * pass on the client's host. Other names are scanners: nothing has to be done.
   *
   * @example The host old-shop.example is not in allowedHosts: add it to the option, to NG_ALLOWED_HOSTS, or to security.allowedHosts in angular.json. …
   */
  NG_SSR_HOST_NOT_ALLOWED: 400,
  /**
   * The function `allowedHosts` has thrown, rejected, taken too long or returned no verdict. Hosts that it allowed in
   * the last hour stay allowed. Reported at most once a minute.
   *
   * @remarks `cause` has the error of the function. See [hosts](hosts.md).
   *
   * @example allowedHosts gives no verdict on the host shop.example: … The next request asks again. This is reported once a minute.
   */
  NG_SSR_HOST_UNDECIDED: 503,
  /**
   * Parsers would read the request target in different ways: it is no path from `/`, or has `//` at its start, dot
   * segments, backslashes, a fragment, broken escapes, or characters outside of RFC 3986 (RFC 9112 section 3.2.1).
   *
   * @remarks A client sends it so, mostly a scanner. It is answered and not reported.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_TARGET_MALFORMED
   */
  NG_SSR_TARGET_MALFORMED: 400,
  /**
   * A page was asked for with another method than GET or HEAD, and none of your routes has answered; or the purge
   * endpoint with another than POST. `Allow` has the methods.
   *
   * @remarks Register a route for the method and path, ahead of the pages.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_METHOD_NOT_ALLOWED
   */
  NG_SSR_METHOD_NOT_ALLOWED: 405,
  /**
   * No file, page or route answers the path. The build's 404 page is sent where it has one; hashed files that no
   * build has are a short text that nothing stores.
   *
   * @remarks For a page: check the application's routes. For scripts of earlier builds: see [deploys](deploys.md).
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_NOT_FOUND
   */
  NG_SSR_NOT_FOUND: 404,
  /**
   * Accept-Encoding rules out all encodings of the answer, the identity encoding included (RFC 9110 section 12.5.3).
   *
   * @remarks Only a client that sends `identity;q=0` or `*;q=0` gets it: change the client.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_NOT_ACCEPTABLE
   */
  NG_SSR_NOT_ACCEPTABLE: 406,
  /**
   * A Range begins after the end of the content (RFC 9110 section 15.5.17). Content-Range has the length.
   *
   * @remarks The file is shorter than the client knows it to be: it has to ask again without Range.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_RANGE_NOT_SATISFIABLE
   */
  NG_SSR_RANGE_NOT_SATISFIABLE: 416,
  /**
   * If-Match or If-Unmodified-Since does not hold for the content of today (RFC 9110 section 13.1).
   *
   * @remarks The client has another version: it has to fetch the content again.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PRECONDITION_FAILED
   */
  NG_SSR_PRECONDITION_FAILED: 412,
  /**
   * A browser asked for a page ahead of a visit (`Sec-Purpose: prefetch`), and the page would have to be rendered.
   * The visit itself is answered as ever.
   *
   * @remarks Nothing has to be done: a prefetch costs no render by default. `render.prefetch` changes that.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PREFETCH_REFUSED
   */
  NG_SSR_PREFETCH_REFUSED: 503,
  /**
   * One of your routes or middlewares has failed, or an answer could not be written.
   *
   * @remarks `cause` has the error. The message names the request.
   *
   * @example POST /api/orders failed
   */
  NG_SSR_HANDLER_FAILED: 500,
  /**
   * A feature of `features` has thrown, or has given something else than an answer. At its installation the server does not
   * start. A request that it could not answer is a 500. If its `start` has failed, the server goes on, and the ready probe
   * stays at 503 if the server has to wait for the feature (`delaysReady`).
   *
   * @remarks `cause` has what it has thrown. See [features](features.md#rules).
   *
   * @example the feature sessions could not start
   */
  NG_SSR_FEATURE_FAILED: 500,

  // Rendering
  /**
   * The application did not start for the page, or the navigation failed and Angular has no page. With `failOnError:
   * true` of the engine: the page has any error. Also: the engine cannot start, or was used before `setup()`.
   *
   * @remarks `cause` has the error, with the stack of the application; `errorDetails` shows it in the browser. If a
   * global of browsers "is not defined", such as `window`, `document` or `localStorage`, use it in `afterNextRender()`,
   * or only where `isPlatformBrowser(inject(PLATFORM_ID))` is true, or inject `DOCUMENT`:
   * [examples](page-errors.md#window-is-not-defined). See [errors of pages](page-errors.md).
   *
   * @example GET /products/3 failed
   */
  NG_SSR_RENDER_FAILED: 500,
  /**
   * The engine gave a response, and its body failed while it was read, or has more than 64 MiB.
   *
   * @remarks `cause` has the error. Look at the engine, or at the stream that your own engine returns.
   *
   * @example GET /products/3 failed
   */
  NG_SSR_BODY_FAILED: 500,
  /**
   * A page has left an error unhandled, during its render or later: in a template, a hook or an effect, a rejected
   * promise, an exception in a timer. The page is sent as Angular sends it, and never stored; with `failOnError: true`
   * of the engine it is a 500.
   *
   * @remarks Handle the error in the component or service that `cause` names. If a global of browsers "is not
   * defined", such as `window`, `document` or `localStorage`, use it in `afterNextRender()`, or only where
   * `isPlatformBrowser(inject(PLATFORM_ID))` is true, or inject `DOCUMENT`:
   * [examples](page-errors.md#window-is-not-defined). `onError` gets each error once; the log has those of a page
   * once in ten minutes.
   *
   * @example GET /products/3 (https://shop.example/products/3) has left an error unhandled: HttpErrorResponse: Http failure response for /api/offers: 502 Bad Gateway
   */
  NG_SSR_ERROR_UNHANDLED: 500,
  /**
   * A page has set a status outside of 200 to 599, or a header with a character that cannot be sent (RFC 9110 section
   * 5.5). Also, reported once: your own engine has returned undefined, which is answered as not found.
   *
   * @remarks Set a valid status in `RESPONSE_INIT`; encode text that comes from data before it goes into a header.
   *
   * @example GET /products/3: the engine's status is 99; allowed: 200 to 599
   */
  NG_SSR_RESPONSE_INVALID: 500,
  /**
   * In development: a page whose rule stores it for all visitors reads a header of the request that its rule does not
   * vary on. In production the header is simply not there.
   *
   * @remarks Name the header in `vary` of the rule, or remove `sMaxAge` and `freshness` from the rule.
   *
   * @example /account reads the request's cookie, but its stored pages do not vary on it: name it in the vary of the route's rule, or remove sMaxAge and freshness from the rule
   */
  NG_SSR_REQUEST_NOT_SHARED: 500,
  /**
   * A function `ssr` of `routeRules` has thrown, or has not returned a boolean. The page is rendered. Reported
   * once.
   *
   * @remarks `cause` has what it threw. See [render rules](render-rules.md).
   *
   * @example a function "ssr" of routeRules has thrown. The page was rendered, as are others when it fails; this is reported once
   */
  NG_SSR_RENDER_RULE_FAILED: 500,
  /**
   * Rules have `ssr`, but the build has no `index.csr.html` that is held in memory, which the browser would render
   * from. Those pages are rendered for all requests.
   *
   * @remarks Deploy `index.csr.html` with the other files of the browser folder, or raise `files.maxFileBytes`. See
   * [render rules](render-rules.md).
   *
   * @example routeRules has "ssr" for /search, but the build has no index.csr.html that is held in memory (files.maxFileBytes): these pages are rendered for all requests
   */
  NG_SSR_CSR_PAGE_MISSING: 500,
  /**
   * A page would be sent without a nonce of its own: the engine has compressed it, a header repeats the nonce, or the
   * page has the placeholder itself. Also a notice at start about pages that are too large for memory.
   *
   * @remarks Leave compression to the server, and let the engine mark the document, as `appEngine()` and
   * `commonEngine()` do; your own engine calls `markNonces()`. For large pages raise `files.maxFileBytes` or
   * `files.maxBytes`.
   *
   * @example GET /products/3: the engine sends the page encoded as gzip, so no nonce can be put into it
   */
  NG_SSR_NONCE_UNFILLED: 500,
  /**
   * More renders were asked for than `render.concurrency` and `render.maxQueued` allow, and the request got no
   * fallback. Reported at most once in ten seconds, with the number of requests. A server that is ending answers so,
   * too.
   *
   * @remarks Store more pages (`routeRules`), add capacity, or allow fallbacks (`render.fallbacks`). The client gets
   * `Retry-After: 1`.
   *
   * @example 42 requests got no page in time; the last one: GET /search?q=lamp was not rendered: the render queue had no place for it in time (render.concurrency, render.maxQueued)
   */
  NG_SSR_OVERLOADED: 503,
  /**
   * A page was not ready within `render.maxWaitMs`, or the `maxWaitMs` of its rule. The render goes on, and its
   * page is stored if it may be.
   *
   * @remarks Look at what the page waits for: `withServerTiming()` shows its calls. Store the page, or raise the deadline
   * of its route.
   *
   * @example GET /search?q=lamp took longer than 3000 ms
   */
  NG_SSR_DEADLINE_PASSED: 503,
  /**
   * A render was ended because it took longer than `render.timeoutMs`.
   *
   * @remarks In most cases the page waits for a call that never ends: give it a `timeoutMs` with `withCalls()`. See
   * [calls](calls.md).
   *
   * @example GET /products/3 timed out: its render took longer than 30000 ms (render.timeoutMs)
   */
  NG_SSR_RENDER_TIMEOUT: 503,
  /**
   * The engine renders a route with Angular's own DOM from now on, which takes longer, because its pages need something
   * that the fast DOM does not have, or because a member of Angular's DOM was replaced. Pages are the same. Reported
   * once for a route.
   *
   * @remarks Nothing has to be done. The message names what the page has used; `ng-ssr doctor --compare` finds such
   * routes before a deployment.
   *
   * @example pages of /report are rendered with Angular's own DOM, which takes longer: @ng-ssr/dom has no Element.prototype.attachShadow
   */
  NG_SSR_FAST_LEFT: 500,
  /**
   * A page needs Angular's own DOM, and its render may have sent a request that must not be sent twice (RFC 9110
   * section 9.2.1), such as a POST: the process has sent one since the render began. The request gets a fallback: a
   * stale page, the CSR page, or 503. Later requests for the route are rendered with Angular's own DOM from the start.
   *
   * @remarks Happens once for a route. Node before 24 does not report requests of `node:http2`: there such a request is
   * sent twice. Set `fast: false` of the engine if a route must never need it.
   *
   * @example pages of /report need Angular's own DOM (@ng-ssr/dom has no Element.prototype.attachShadow), and this render may have sent POST https://api.example/views: it is not repeated
   */
  NG_SSR_RENDER_NOT_REPEATED: 503,

  // Threads
  /**
   * A render thread ended while it rendered a page: it crashed, ran out of memory, was blocked by another page, or
   * the server was closed. The page is tried once more, alone.
   *
   * @remarks The message names the pages and the reason. A page that ends its thread each time has an endless loop or
   * needs more than `render.maxHeapBytes`.
   *
   * @example a render thread ended while rendering GET /report: it ran out of memory
   */
  NG_SSR_WORKER_LOST: 503,
  /**
   * A render thread did not start: its program is missing, has changed since the server was started, or failed.
   *
   * @remarks Start the built `server.mjs` as a file, and restart the server after each build. `cause` has the error
   * of the program.
   *
   * @example /srv/shop/server/server.mjs has changed since this program was started: restart it
   */
  NG_SSR_WORKER_NOT_STARTED: 500,
  /**
   * A server thread of `listen({ threads })` has ended. Its connections are lost; those of others are not, and a
   * successor starts.
   *
   * @remarks `cause` has the error that ended it.
   *
   * @example a server thread has ended: it ended with exit code 1; its successor starts in 500 ms
   */
  NG_SSR_THREAD_LOST: 500,
  /**
   * The program did not listen in a server thread, or the successor of a lost thread did not start; that is tried
   * again.
   *
   * @remarks All of `server.ts` runs in each thread: what must run once belongs under `isMainThread` of
   * node:worker_threads. Restart the server after each build.
   *
   * @example a server thread has ended, and its program did not listen in it: it ended with exit code 1
   */
  NG_SSR_THREAD_NOT_STARTED: 500,
  /**
   * `listen({ threads })` cannot have more than one thread here: another runtime or platform, an older Node, a
   * `server` or socket of your own, a worker of node:cluster, or a second `listen`. With `'auto'` it is a notice, and
   * one thread serves.
   *
   * @remarks The message has the reason. `node:cluster` serves on several cores in its place.
   *
   * @example listen({ threads }) is not available: darwin does not spread connections; use node:cluster to serve on several cores
   */
  NG_SSR_THREADS_UNAVAILABLE: 500,
  /**
   * `requestContext` returned a value that cannot go to another thread, with `render.threads` or `listen({ threads
   * })`.
   *
   * @remarks Return plain data that `structuredClone()` takes: no functions, and none of the framework's own objects.
   *
   * @example GET /account failed: its requestContext cannot be cloned for a render thread; allowed with render.threads: values that structuredClone() takes, …
   */
  NG_SSR_CONTEXT_NOT_CLONEABLE: 500,

  // Built files
  /**
   * A built server, or `ng-ssr pack`, does not find the folder of the browser files.
   *
   * @remarks Deploy `browser` together with `server`, or set `files.folder`. With an empty folder no files are
   * served.
   *
   * @example the built browser files are missing: looked for /srv/shop/browser. Deploy the browser folder of the build together with its server folder, …
   */
  NG_SSR_BROWSER_FOLDER_MISSING: 500,
  /**
   * The built files cannot be read at start, or `prerendered-routes.json` is not as the Angular CLI writes it.
   *
   * @remarks Check the permissions of the folder, and that a deploy does not remove files while the server starts.
   *
   * @example files.folder /srv/shop/browser cannot be read
   */
  NG_SSR_INDEX_FAILED: 500,
  /**
   * A large file, which is read while it is sent, cannot be read any more.
   *
   * @remarks Deploy each build into a folder of its own, so that files of a running server stay as they are.
   *
   * @example GET /video.mp4: /srv/shop/browser/video.mp4 cannot be read
   */
  NG_SSR_FILE_UNREADABLE: 500,
  /**
   * Some contents are sent without a content encoding: compression failed, or text files are larger than the limits.
   *
   * @remarks If the message names sizes, raise `files.maxFileBytes` or `files.maxBytes`; otherwise `cause` has the
   * error of zlib.
   *
   * @example /assets/data.json (9437184 bytes): sent without a content encoding. …
   */
  NG_SSR_ENCODING_FAILED: 500,
  /**
   * `withDictionaries()` has no effect: zlib of this runtime has no dictionaries for Brotli and Zstandard. Answers are
   * compressed without them.
   *
   * @remarks Use Node 24.21 or later, or leave the feature out.
   *
   * @example withDictionaries() has no effect: the zlib of this runtime has no dictionaries for Brotli and Zstandard. Node 24.21 has both
   */
  NG_SSR_DICTIONARIES_UNAVAILABLE: 500,
  /**
   * Files of other builds (`withOldBuilds()`) cannot be read or written: the folder or Redis is unavailable, full or damaged.
   * The server's own files are answered as ever.
   *
   * @remarks Check the folder's permissions and space, or Redis. See [deploys](deploys.md).
   *
   * @example withOldBuilds.folder /var/lib/shop/builds cannot be used: other servers cannot answer the files of this build
   */
  NG_SSR_BUILDS_UNAVAILABLE: 500,
  /**
   * The pack or the manifest of the build is damaged, or of another version of ng-ssr. A server on Node compresses
   * the files itself; one that needs the manifest does not start.
   *
   * @remarks Run `ng-ssr pack` again, with the version of ng-ssr that the server has.
   *
   * @example /srv/shop/ng-ssr/manifest.json is not used, and the files are encoded now: … Run ng-ssr pack again
   */
  NG_SSR_PACK_INVALID: 500,
  /**
   * Files have changed since the build was packed. The server compresses them itself.
   *
   * @remarks Run `ng-ssr pack` after all changes of the built files. A file that is written as a container starts
   * needs nothing.
   *
   * @example /config.js: changed or added since the build was packed, so encoded now. Run ng-ssr pack after all changes of the built files
   */
  NG_SSR_PACK_STALE: 500,
  /**
   * `ng-ssr pack` cannot write its files.
   *
   * @remarks Check the permissions and the space of the output path.
   *
   * @example dist/shop/ng-ssr cannot be written: EACCES: permission denied, …
   */
  NG_SSR_PACK_FAILED: 500,
  /**
   * The command `ng-ssr` was called with an unknown command or option, or with a value that is not allowed.
   *
   * @remarks `ng-ssr --help` lists the commands and options.
   *
   * @example there is no command "pakc"
   */
  NG_SSR_COMMAND_INVALID: 500,
  /**
   * A command of `ng-ssr` has no connection to the server that it asks.
   *
   * @remarks The message has the reason: no program listens at the address, its certificate is not trusted, or it does
   * not answer in time.
   *
   * @example http://localhost:4000/_ng-ssr/inspector/state cannot be reached: no program listens there (ECONNREFUSED)
   */
  NG_SSR_SERVER_UNREACHABLE: 500,
  /**
   * The server that a command of `ng-ssr` asks has not given what the command needs.
   *
   * @remarks 401: the token is another one than the server's. Else: add `withInspector()` to the server's features, and give
   * its path with `--inspector-path`, and one of the allowed hosts with `--host`.
   *
   * @example http://localhost:4000/_ng-ssr/inspector/state has answered 401: the token is not that of the server
   */
  NG_SSR_SERVER_ANSWER_INVALID: 500,

  // Stored pages
  /**
   * A stored page, or a stored response of a call, could not be renewed. The stale one is served as long as it may
   * be, and the next try waits longer.
   *
   * @remarks `cause` has the error of the render or the call.
   *
   * @example the stored page /products/3 could not be re-rendered; retry in 1000 ms
   */
  NG_SSR_REFRESH_FAILED: 500,
  /**
   * A page of `withPrewarm()` did not render, or its sitemap cannot be read, lists no pages or has entries that are not
   * absolute URLs. Other pages are prewarmed.
   *
   * @remarks Remove the path from the list, or look at the error that the render has reported.
   *
   * @example /products/999 is not prewarmed: its status is 404
   */
  NG_SSR_PREWARM_FAILED: 500,
  /**
   * The page store (Redis, the file of SQLite) fails or does not answer. Each process renders for itself until it
   * does. A purge that the store has not confirmed is an error of `purge()`, because other processes may still serve
   * the pages.
   *
   * @remarks Check the store; repeat the purge. Reported once for each outage. See
   * [@ng-ssr/redis](../packages/redis/README.md) and [@ng-ssr/sqlite](../packages/sqlite/README.md).
   *
   * @example the page store fails or does not answer: each process renders for itself until it answers
   */
  NG_SSR_STORE_UNAVAILABLE: 503,
  /**
   * The CDN has not confirmed a purge, and may still serve the old pages.
   *
   * @remarks Try the purge again. The message names the edge and its answer. See [CDN](cdn.md).
   *
   * @example fastly has not confirmed the purge of the tag products; it may still serve the old pages, for as long as they were to be kept: try again (POST https://api.fastly.com/service/… 503)
   */
  NG_SSR_EDGE_UNAVAILABLE: 503,
  /**
   * A purge names none or several of `path`, `prefix` and `tag`, or is no JSON.
   *
   * @remarks Pass exactly one of them, as in `{ tag: 'products' }`; paths begin with `/` and have no query.
   *
   * @example the purge is {"path":"products"}; allowed: { path | prefix | tag, hard? } with exactly one of the three; a path or prefix begins with "/" and has no query; hard is true or false
   */
  NG_SSR_PURGE_INVALID: 400,
  /**
   * A request to the purge endpoint lacks its token.
   *
   * @remarks Send `Authorization: Bearer <token>` with the token of `withPurgeEndpoint()`.
   *
   * @example Cache-Status: ng-ssr; detail=NG_SSR_PURGE_UNAUTHORIZED
   */
  NG_SSR_PURGE_UNAUTHORIZED: 401,
  /**
   * A request for the inspector has neither its token nor a session, or a page of another site has sent it.
   *
   * @remarks Send `Authorization: Bearer` and the `token` of `withInspector()`, or sign in at its path.
   *
   * @example 401 Unauthorized
   */
  NG_SSR_INSPECTOR_UNAUTHORIZED: 401,
  /**
   * A request for the inspector has a query or a content that it does not know.
   *
   * @remarks The message has the value and what is allowed.
   *
   * @example the query has sort "size"; allowed: recent, path, age, ttl, bytes, hits, and "-" before it for the other way round
   */
  NG_SSR_INSPECTOR_INVALID: 400,

  // Calls of pages
  /**
   * A call that a page made got no response: no connection, or it broke, or a redirect cannot be followed. The page
   * gets the error. The first such call for a rule is reported, and the first that was answered with a status from 500.
   *
   * @remarks `cause` has the error of the runtime. `retries` and `cache` with `staleIfError` help with an API that
   * fails at times; for the server's own origin behind a proxy use `inProcess`. See [calls](calls.md).
   *
   * @example GET https://cms.example/articles, called by GET /blog, failed: connect ECONNREFUSED 10.0.0.7:443
   */
  NG_SSR_CALL_FAILED: 500,
  /**
   * A call took longer than `timeoutMs` of its rule. The first one for a rule is reported.
   *
   * @remarks Show something else in the page, or store the response with `staleIfError`, whose stale response then
   * comes in its place.
   *
   * @example GET https://cms.example/articles, called by GET /blog, took longer than 800 ms (timeoutMs of its rule)
   */
  NG_SSR_CALL_TIMEOUT: 500,
  /**
   * A call with the credentials of the visitor was in flight when its render ended, or another one when the time of a render
   * was over or the server closed. Or a page called a relative URL after its render had ended.
   *
   * @remarks Have the page wait for it: `HttpClient` and resources do; around plain `fetch` use `PendingTasks.run`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, was in flight when the render ended
   */
  NG_SSR_CALL_ENDED: 500,
  /**
   * `concurrency` calls to the origin were in flight, and `maxQueued` waited.
   *
   * @remarks Store or dedupe the responses (`cache`, `dedupe`); raise the numbers if the API can take it.
   *
   * @example GET https://cms.example/articles, called by GET /blog, found 100 calls that wait (maxQueued and concurrency of its rule)
   */
  NG_SSR_CALL_OVERLOADED: 500,
  /**
   * The content of a response is longer than `maxBytes` of its rule.
   *
   * @remarks Ask for less, or raise `maxBytes`.
   *
   * @example GET https://cms.example/articles, called by GET /blog, has a content of more than 1048576 bytes (maxBytes of its rule)
   */
  NG_SSR_CALL_TOO_LARGE: 500,
  /**
   * A page calls an API of this server in process, which fetches the page, or another that waits for it.
   *
   * @remarks The message has the chain. The API must not fetch the page that calls it.
   *
   * @example pages and calls wait for each other: GET /blog -> GET /api/articles -> GET /blog
   */
  NG_SSR_CALL_LOOP: 508,
  /**
   * Nothing failed: a call costs its page time or bytes, did not get what its rule forwards, or is not cached. Each notice is
   * given once for a rule.
   *
   * @remarks As the message says: make calls parallel, dedupe them, fetch less, or ask for credentials.
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
   * The check of `probes.ready` has failed, returned false or taken too long, so the probe is answered with 503.
   * Reported once for each reason.
   *
   * @remarks `cause` has the error of your check.
   *
   * @example probes.ready: the check took longer than 1000 ms
   */
  NG_SSR_NOT_READY: 503,
  /**
   * `onClose` has failed. The server has ended all the same.
   *
   * @remarks `cause` has the error of your function.
   *
   * @example onClose has failed
   */
  NG_SSR_CLOSE_FAILED: 500,
  /**
   * `write` of `withRequestLog()` has failed: its entries are lost.
   *
   * @remarks `cause` has the error of your function.
   *
   * @example withRequestLog.write failed: 128 requests were not logged
   */
  NG_SSR_LOG_FAILED: 500,
} as const;
