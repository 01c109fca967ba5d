// node three_md2.mjs LOADER MODEL: measures three.js' MD2Loader with a model that is already in memory.
// Prints the number of frames and the quartiles in microseconds.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { MD2Loader } = await import(pathToFileURL(process.argv[2]));
const file = readFileSync(process.argv[3]);
const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
const loader = new MD2Loader();
const times = [];
let frames = 0;
// The first runs include JIT compilation.
for (let i = 0; i < 24; i++) {
    const start = process.cpuUsage();
    frames = loader.parse(buffer).morphAttributes.position.length;
    const used = process.cpuUsage(start);
    if (i >= 5) times.push(used.user + used.system);
}
times.sort((a, b) => a - b);
const at = share => times[Math.round(share * (times.length - 1))];
console.log(`${frames} ${at(0.25)} ${at(0.5)} ${at(0.75)}`);
