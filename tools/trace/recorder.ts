/** A function of the packages' built code. */
export interface Place {
  /** Its file without the ending, as `core/render/scheduler`. */
  readonly file: string;
  /** As `Scheduler.render`. */
  readonly name: string;
}

/** One step of control: into a function, back to its caller, or into it again after an `await`. */
export interface Step extends Place {
  readonly kind: 'call' | 'back' | 'resume';
  /** How many times the file changes from the first function of the call stack to this one. */
  readonly depth: number;
}

/** One call of a function; the probes in its body pass it on. */
interface Frame {
  readonly place: Place;
}

/**
 * What the probes in the built code call. It follows the call stack at all times, and keeps the steps
 * while it records. A function that awaits leaves the stack, and is put on it again when it resumes.
 */
export class Recorder {
  readonly places: Place[] = [];
  readonly #stack: Frame[] = [];
  #steps: Step[] = [];
  #isRecording = false;

  /** Forgets earlier steps. */
  start(): void {
    this.#steps = [];
    this.#isRecording = true;
  }

  stop(): readonly Step[] {
    this.#isRecording = false;
    return this.#steps;
  }

  get stepCount(): number {
    return this.#steps.length;
  }

  enter(place: number): Frame {
    const frame = { place: this.places[place]! };
    this.#push(frame, 'call');
    return frame;
  }

  exit(frame: Frame): void {
    const index = this.#stack.lastIndexOf(frame);
    if (index === -1) return;
    this.#stack.length = index;
    const caller = this.#stack.at(-1);
    if (caller !== undefined) this.#note(caller, 'back');
  }

  /** Before an `await` or a `yield`. */
  suspend<T>(frame: Frame, value: T): T {
    this.exit(frame);
    return value;
  }

  /** After it. */
  resume<T>(frame: Frame, value: T): T {
    this.#push(frame, 'resume');
    return value;
  }

  /** Where an `await` that rejects, or a loop, may have led to. */
  at(frame: Frame): void {
    if (!this.#stack.includes(frame)) this.#push(frame, 'resume');
  }

  /** What a `for await` goes through, with a probe in front of each of its waits. */
  iterate<T>(frame: Frame, items: AsyncIterable<T> | Iterable<T>): AsyncIterable<T> {
    const iterator =
      Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => this.suspend(frame, iterator.next()),
        return: async () =>
          this.suspend(frame, iterator.return?.()) ?? { done: true, value: undefined },
      }),
    };
  }

  #push(frame: Frame, kind: Step['kind']): void {
    this.#stack.push(frame);
    this.#note(frame, kind);
  }

  #note({ place }: Frame, kind: Step['kind']): void {
    if (this.#isRecording) this.#steps.push({ ...place, kind, depth: this.#depth() });
  }

  #depth(): number {
    return this.#stack.filter(
      ({ place }, index) => index > 0 && place.file !== this.#stack[index - 1]!.place.file,
    ).length;
  }
}
