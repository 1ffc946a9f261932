import { type Command, defineCommand } from '../command.ts';
import { packBuild } from '../pack/pack-build.ts';
import { readInlineBytes } from '../pack/pack-manifest.ts';
import { wrongArguments } from '../wrong-arguments.ts';

const HELP = `Usage: ng-ssr pack <output path> [--browser <name>] [--previous <output path>]
                                 [--manifest] [--inline <bytes>]

Compresses the files of a build (br, zstd, gzip) once for all its servers. Run it after each "ng build". A server
finds the pack and uses it for files that have not changed since.

  <output path>      Angular's output path, such as dist/shop. The pack is written to its folder "ng-ssr", beside
                     the browser folder: deploy both
  --browser <name>   the browser folder, if it is not "browser"
  --previous <output path>
                     an earlier build whose files clients may have: also packs scripts, styles and prerendered pages
                     as their difference to it, for servers with withDictionaries(). Repeatable
  --manifest         also writes ng-ssr/build-manifest.mjs for servers without a folder (Cloudflare Workers): pages
                     and small files with their content, other files by name
  --inline <bytes>   the largest file whose content is in the manifest. Default: 65536
  --help             shows this text
`;

export const packCommand: Command = defineCommand({
  name: 'pack',
  summary: 'Compresses the files of a build once for all its servers',
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
      throw wrongArguments(`pass one output path only, not also ${rest.join(' ')}`);
    }
    const hasManifest = values.manifest === true || values.inline !== undefined;
    const inlineBytes = hasManifest ? readInlineBytes(values.inline) : undefined;
    await packBuild(outputPath, values.browser, values.previous, inlineBytes);
    return 0;
  },
});
