import { Component } from '@angular/core';

/** The way of a request: middleware, memory, routes, render. */
@Component({
  selector: 'app-picture',
  template: `
    <svg
      class="picture"
      viewBox="0 0 340 400"
      width="340"
      height="400"
      role="img"
      aria-labelledby="way"
    >
      <title id="way">
        A request goes through your middleware to memory. Memory has built files and cached pages,
        and responds in microseconds. Other requests go on to your routes, and then to a render by
        Angular, which takes milliseconds. The rendered page can go to memory.
      </title>
      <g class="boxes">
        <rect x="1" y="56" width="220" height="56" rx="8" />
        <rect class="memory" x="1" y="144" width="220" height="74" rx="8" />
        <rect x="1" y="250" width="220" height="56" rx="8" />
        <rect x="1" y="338" width="220" height="60" rx="8" />
      </g>
      <g class="arrows">
        <path d="M111 26v26m-5-6 5 6 5-6" />
        <path d="M111 112v28m-5-6 5 6 5-6" />
        <path d="M111 218v28m-5-6 5 6 5-6" />
        <path d="M111 306v28m-5-6 5 6 5-6" />
        <path class="fast" d="M221 181h36m-6-5 6 5-6 5" />
        <path d="M221 278h36m-6-5 6 5-6 5" />
        <path d="M221 368h36m-6-5 6 5-6 5" />
        <path class="store" d="M200 338V222m-5 6 5-6 5 6" />
      </g>
      <g class="names">
        <text x="111" y="18">Request</text>
        <text x="111" y="81">Your middleware</text>
        <text x="111" y="172">Memory</text>
        <text x="111" y="275">Your routes</text>
        <text x="111" y="364">Render</text>
      </g>
      <g class="remarks">
        <text x="111" y="99">auth, headers, logs</text>
        <text x="111" y="190">built files, prerendered</text>
        <text x="111" y="206">and cached pages</text>
        <text x="111" y="293">/api/products</text>
        <text x="111" y="382">Angular, in threads</text>
      </g>
      <g class="times">
        <text class="fast" x="264" y="186">µs</text>
        <text x="264" y="283">response</text>
        <text x="264" y="373">ms</text>
      </g>
    </svg>
  `,
})
export class Picture {}
