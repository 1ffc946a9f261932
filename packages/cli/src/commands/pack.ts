import { type Command, defineCommand } from '../command.ts';
import { packBuild } from '../pack/pack-build.ts';
import { readInlineBytes } from '../pack/pack-manifest.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr pack <output path> [--browser <name>] [--previous <output path>]
                                 [--manifest] [--inline <bytes>]

Makes the content encodings (br, zstd, gzip) of a build's files once, for all servers that are started from
it. Run it after each "ng build"; a server finds the pack by itself, and uses it for files that are the same
as when they were packed.

  <output path>      Angular's output path, for example dist/shop. The pack is written to its folder
                     "ng-ssr", beside the browser folder: deploy both.
  --browser <name>   the name of the browser folder, where angular.json has another one than "browser"
  --previous <output path>
                     of an earlier build, which clients may have files of: scripts, styles and prerendered
                     pages are packed as their difference to it, for servers with withDictionaries().
                     May be given several times
  --manifest         also writes ng-ssr/build-manifest.mjs, the build's files for servers without a folder
                     (Cloudflare Workers): pages and small files with their content, others by name
  --inline <bytes>   the size up to which a file's content is in the manifest. Default: 65536
  --help             shows this text
`;

export const packCommand: Command = defineCommand({
  name: 'pack',
  summary: 'Compresses the files of a build once, for all servers',
  help: HELP,
  options: {
    manifest: { type: 'boolean' },
    inline: { type: 'string' },
    browser: { type: 'string', default: 'browser' },
    previous: { type: 'string', multiple: true, default: [] },
  },
  async run(values, [outputPath, ...rest]) {
    if (outputPath === undefined) throw wrongArguments('the output path is missing');
    if (rest.length > 0) {
      throw wrongArguments(`there is more than one output path: ${rest.join(' ')}`);
    }
    const hasManifest = values.manifest === true || values.inline !== undefined;
    const inlineBytes = hasManifest ? readInlineBytes(values.inline) : undefined;
    await packBuild(outputPath, values.browser, values.previous, inlineBytes);
    return 0;
  },
});
