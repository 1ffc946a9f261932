import { Duplex } from 'node:stream';

/** One end of a connection without a socket: what is written here is read at the other end. */
export class Wire extends Duplex {
  #other: Wire | undefined;

  /** Both ends of a new connection. */
  static pair(): readonly [Wire, Wire] {
    const [one, other] = [new Wire(), new Wire()];
    one.#other = other;
    other.#other = one;
    return [one, other];
  }

  override _read(): void {
    // The other end pushes.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#other?.push(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.#other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#other?.push(null);
    done(error);
  }
}
