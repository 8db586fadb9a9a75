// Builds the page into the resources of the service, or into the directory that is named.
// The same sources and the same lock file give the same bytes; a test builds again and compares.
import { build } from 'esbuild';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(
  process.argv[2] ?? join(here, '../src/main/resources/dev/fairlead/service/page'),
);
const bundled = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element', 'uplot', 'hls.js'];

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: {
    page: 'app/main.js',
    feed: 'app/feed.js',
    player: 'app/player.js',
  },
  bundle: true,
  format: 'esm',
  external: ['/page/player.js'],
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  outdir: out,
  logLevel: 'warning',
});
await build({
  absWorkingDir: here,
  entryPoints: { page: 'app/page.css' },
  bundle: true,
  minify: true,
  target: 'chrome120',
  outdir: out,
  logLevel: 'warning',
});
await cp(join(here, 'app/index.html'), join(out, 'index.html'));
await cp(join(here, 'app/icon.svg'), join(out, 'icon.svg'));
await writeFile(join(out, 'licences.txt'), await licences());

/** What the bundle holds of others, and under which terms. */
async function licences() {
  const parts = [];
  for (const name of bundled) {
    const home = join(here, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
    const text = await readFile(join(home, 'LICENSE'), 'utf8');
    parts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return parts.join(`\n${'-'.repeat(72)}\n\n`);
}
