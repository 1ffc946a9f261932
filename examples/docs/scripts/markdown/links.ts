import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { type ImageSize, readImageSize } from './image-size.ts';
import { REPOSITORY_URL, root } from '../repository.ts';
import type { SourcePage } from '../contents/page.ts';

/** Where links of one page lead on the site. */
export interface Links {
  /** A route of the site where the file is a page of it, else its address in the repository. */
  toHref(link: string): string;
  toImage(link: string): Image;
}

/** An image of the repository: it is copied beside the pages. */
export interface Image extends ImageSize {
  readonly address: string;
}

/** Knows every page by its file, and collects the images that pages show. */
export class SiteLinks {
  readonly #paths: ReadonlyMap<string, string>;
  /** Files of the repository, by their address on the site. */
  readonly images: Map<string, string> = new Map();

  constructor(pages: readonly SourcePage[]) {
    this.#paths = new Map(pages.map((page) => [fileOf(page), page.path]));
  }

  of(page: SourcePage): Links {
    return {
      toHref: (link) => this.#toHref(page, link),
      toImage: (link) => this.#toImage(page, link),
    };
  }

  #toHref(page: SourcePage, link: string): string {
    if (/^[a-z]+:/i.test(link)) return link;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? fileOf(page) : this.#resolve(page, file);
    const path = this.#pathOf(target);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (path !== undefined) return `/${path}${hash}`;
    return toRepository(page, target) + hash;
  }

  #pathOf(file: string): string | undefined {
    return this.#paths.get(file) ?? this.#paths.get(join(file, 'README.md'));
  }

  /** Links in doc comments begin in docs/, where the lists of options and of errors are made of them. */
  #resolve(page: SourcePage, link: string): string {
    const target = resolve(page, link);
    const isOfComment = page.file === undefined && this.#pathOf(target) === undefined;
    return isOfComment ? join('docs', link) : target;
  }

  #toImage(page: SourcePage, link: string): Image {
    if (/^[a-z]+:/i.test(link))
      throw new Error(`${page.file}: the image ${link} is not of the repository`);
    const file = resolve(page, link);
    const address = `images/${file}`;
    this.images.set(address, file);
    const size = readImageSize(join(root, file));
    if (size === undefined) throw new Error(`${file} is neither a PNG nor an SVG with its size`);
    return { address: `/${address}`, ...size };
  }
}

/** Pages of the reference have no file: their links are those between `api/*.md`. */
function fileOf({ file, path }: SourcePage): string {
  return file ?? `${path}.md`;
}

function resolve(page: SourcePage, link: string): string {
  return join(dirname(fileOf(page)), link).replace(/\/$/, '');
}

function toRepository(page: SourcePage, target: string): string {
  const file = join(root, target);
  if (!existsSync(file))
    throw new Error(`${fileOf(page)} links to ${target}, which does not exist`);
  const kind = statSync(file).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY_URL}/${kind}/main/${target}`;
}
