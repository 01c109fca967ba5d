// Runs some of the browser tests in Firefox, on a virtual display: the page opens dropped files and saves the command's
// files, and the component draws and plays.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { firefox } from './browsers.mjs';
import { source } from './common.mjs';

if (!firefox || !existsSync('/usr/bin/Xvfb')) {
    console.log('skipped: there is no Firefox, or no Xvfb');
    process.exit(77);
}
const environment = { ...process.env, LERPMESH_BROWSER: 'firefox' };
const statuses = [
    ['test_web_page_save.mjs', 'saves the files'],
    ['test_web_page_save.mjs', 'videos frame by frame'],
    ['test_web_view.mjs', 'the example of five lines'],
].map(([script, name]) => spawnSync(process.execPath, [join(source, 'tests/web', script), name], { env: environment, stdio: 'inherit' }).status ?? 1);
process.exit(Math.max(...statuses));
