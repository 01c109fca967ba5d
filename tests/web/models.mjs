// Synthetic models and images with known contents.
import { deflateSync, crc32 } from 'node:zlib';

// Appends little-endian values.
class Bytes {
    parts = [];
    put(size, write) {
        const part = Buffer.alloc(size);
        write(part);
        this.parts.push(part);
        return this;
    }
    text(text, size) { return this.put(size, (b) => b.write(text, 0, size - 1, 'latin1')); }
    i32(...values) {
        return this.put(4 * values.length, (b) => values.forEach((v, i) => b.writeInt32LE(v, 4 * i)));
    }
    i16(...values) {
        return this.put(2 * values.length, (b) => values.forEach((v, i) => b.writeInt16LE(v, 2 * i)));
    }
    f32(...values) {
        return this.put(4 * values.length, (b) => values.forEach((v, i) => b.writeFloatLE(v, 4 * i)));
    }
    bytes(...values) { return this.put(values.length, (b) => b.set(values)); }
    append(other) {
        this.parts.push(other.done());
        return this;
    }
    get size() { return this.parts.reduce((sum, part) => sum + part.length, 0); }
    done() { return Buffer.concat(this.parts); }
}

// An asymmetric tetrahedron, which differs from its mirror image, in units of 1/64. It moves with the frame number.
const corners = [[0, 0, 0], [1280, 64, 128], [64, 640, 192], [128, 192, 384]];
export const faces = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
export const vertexOf = (frame, v) => corners[v].map((x, i) => (x + 64 * ((frame * (i + 2) + v * frame) % 11)) / 64);
const normalBytes = (frame, v) => [(40 * v + 9 * frame) % 256, (70 * v + 5 * frame) % 256];

function md3Surface({ name, shader }, numFrames) {
    const triangles = new Bytes(), st = new Bytes(), vertices = new Bytes();
    faces.forEach((face) => triangles.i32(...face));
    [[0, 0], [1, 0], [0, 1], [0.5, 0.75]].forEach((pair) => st.f32(...pair));
    for (let frame = 0; frame < numFrames; frame++)
        corners.forEach((_, v) => vertices.i16(...vertexOf(frame, v).map((x) => x * 64))
            .bytes(...normalBytes(frame, v)));
    const shaders = new Bytes().text(shader, 64).i32(0);
    const offsets = [108];
    for (const lump of [triangles, shaders, st, vertices]) offsets.push(offsets.at(-1) + lump.size);
    return new Bytes().text('IDP3', 5).text(name, 64).i32(0, numFrames, 1, corners.length,
        faces.length, offsets[0], offsets[1], offsets[2], offsets[3], offsets[4])
        .append(triangles).append(shaders).append(st).append(vertices);
}

// tags: [{ name, pose(frame) => { origin, axes } }], surfaces: [{ name, shader }].
export function makeMd3({ numFrames, tags = [], surfaces = [] }) {
    const frames = new Bytes(), tagLump = new Bytes(), surfaceLump = new Bytes();
    for (let frame = 0; frame < numFrames; frame++) {
        frames.f32(-10, -10, -10, 40, 40, 40, 0, 0, 0, 60).text(`f${frame}`, 16);
        for (const { name, pose } of tags)
            tagLump.text(name, 64).f32(...pose(frame).origin, ...pose(frame).axes.flat());
    }
    surfaces.forEach((surface) => {
        const lump = md3Surface(surface, numFrames).done();
        surfaceLump.bytes(...lump.subarray(0, 4)).put(lump.length - 5, (b) => lump.copy(b, 0, 5));
    });
    const start = 108, tagStart = start + frames.size, surfaceStart = tagStart + tagLump.size;
    return new Bytes().put(4, (b) => b.write('IDP3')).i32(15).text('synthetic', 64)
        .i32(0, numFrames, tags.length, surfaces.length, 0, start, tagStart, surfaceStart,
            surfaceStart + surfaceLump.size)
        .append(frames).append(tagLump).append(surfaceLump).done();
}

// Makes an MD2 of the same tetrahedron: integer units, frames with these names.
export function makeMd2({ names, skins }) {
    const frameSize = 40 + 4 * corners.length;
    const skinLump = new Bytes(), triangles = new Bytes(), frames = new Bytes();
    skins.forEach((skin) => skinLump.text(skin, 64));
    faces.forEach((face) => triangles.i16(...face, ...face));
    names.forEach((name, frame) => {
        frames.f32(1, 1, 1, 0, 0, 0).text(name, 16);
        corners.forEach((_, v) => frames.bytes(...vertexOf(frame, v).map(Math.floor), v));
    });
    const st = new Bytes().i16(0, 0, 64, 0, 0, 64, 32, 48);
    const offsets = [68];
    for (const lump of [skinLump, st, triangles, frames]) offsets.push(offsets.at(-1) + lump.size);
    return new Bytes().put(4, (b) => b.write('IDP2')).i32(8, 64, 64, frameSize, skins.length,
        corners.length, 4, faces.length, 0, names.length, ...offsets.slice(0, 4), offsets[4],
        offsets[4])
        .append(skinLump).append(st).append(triangles).append(frames).done();
}

// Images: pixels are [r, g, b, a], rows from the top.
export function makePng(width, height, pixel) {
    const raw = new Bytes();
    for (let y = 0; y < height; y++) {
        raw.bytes(0);
        for (let x = 0; x < width; x++) raw.bytes(...pixel(x, y));
    }
    const chunk = (type, data) => {
        const body = Buffer.concat([Buffer.from(type), data]), out = Buffer.alloc(body.length + 8);
        out.writeUInt32BE(data.length);
        body.copy(out, 4);
        out.writeUInt32BE(crc32(body), body.length + 4);
        return out;
    };
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width);
    header.writeUInt32BE(height, 4);
    header.set([8, 6, 0, 0, 0], 8);
    return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', header),
        chunk('IDAT', deflateSync(raw.done())), chunk('IEND', Buffer.alloc(0))]);
}

export function makeTga(width, height, pixel) {
    const out = new Bytes().bytes(0, 0, 2, 0, 0, 0, 0, 0).i16(0, 0, width, height).bytes(32, 0x28);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            const [r, g, b, a] = pixel(x, y);
            out.bytes(b, g, r, a);
        }
    return out.done();
}

export function makePcx(width, height, index) {
    const out = new Bytes().bytes(10, 5, 1, 8).i16(0, 0, width - 1, height - 1, 72, 72)
        .put(48, () => {}).bytes(0, 1).i16(width, 1).put(58, () => {});
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            const value = index(x, y);
            out.bytes(...(value >= 0xC0 ? [0xC1, value] : [value]));
        }
    out.bytes(12);
    for (let i = 0; i < 256; i++) out.bytes(i, 255 - i, i ^ 85);
    return out.done();
}
