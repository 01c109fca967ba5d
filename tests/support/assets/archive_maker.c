#include "archive_maker.h"

#include "packing/deflate.h"

static void add16(lm_buffer *out, unsigned value) {
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    lm_buffer_append(out, bytes, 2);
}

static void add32(lm_buffer *out, size_t value) {
    add16(out, (unsigned)(value & 0xFFFF));
    add16(out, (unsigned)(value >> 16 & 0xFFFF));
}

blob make_pak(const packed_file *files, size_t count) {
    lm_buffer out = {0}, directory = {0};
    lm_buffer_text(&out, "PACK");
    lm_buffer_reserve(&out, 8);
    for (size_t i = 0; i < count; i++) {
        char name[56] = "";
        assert_true(strlen(files[i].name) < sizeof name);
        memcpy(name, files[i].name, strlen(files[i].name));
        lm_buffer_append(&directory, name, sizeof name);
        add32(&directory, out.size);
        add32(&directory, files[i].size);
        lm_buffer_append(&out, files[i].data, files[i].size);
    }
    size_t offset = out.size, size = directory.size;
    lm_buffer_append(&out, directory.data, directory.size);
    lm_buffer_free(&directory);
    blob pak = blob_from_buffer(&out);
    put32(&pak, 4, (uint32_t)offset);
    put32(&pak, 8, (uint32_t)size);
    return pak;
}

/* Computes the CRC bit by bit as in the standard, independently of the library. */
static uint32_t checksum(const uint8_t *data, size_t size) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < 8 * size; i++) {
        uint32_t bit = (crc ^ (uint32_t)data[i / 8] >> i % 8) & 1;
        crc = crc >> 1 ^ bit * 0xEDB88320u;
    }
    return ~crc;
}

static void add_fields(lm_buffer *out, const packed_file *file, size_t packed) {
    add16(out, 20); /* version needed */
    add16(out, file->flags);
    add16(out, file->deflate ? 8 : 0);
    add32(out, 0x21 << 16); /* 1 January 1980 */
    add32(out, checksum(file->data, file->size));
    add32(out, packed);
    add32(out, file->size);
    add16(out, (unsigned)strlen(file->name));
    add16(out, 0);
}

blob make_pk3(const packed_file *files, size_t count) {
    lm_buffer out = {0}, directory = {0};
    for (size_t i = 0; i < count; i++) {
        const packed_file *file = &files[i];
        AT_END(lm_buffer_free) lm_buffer stream = {0};
        const uint8_t *data = file->data;
        size_t packed = file->size, start = out.size;
        if (file->deflate) { /* zip has neither zlib's header nor its checksum */
            lmi_zlib_append(&stream, file->data, file->size);
            data = stream.data + 2;
            packed = stream.size - 6;
        }
        lm_buffer_text(&out, "PK\3\4");
        add_fields(&out, file, packed);
        lm_buffer_text(&out, file->name);
        lm_buffer_append(&out, data, packed);
        lm_buffer_text(&directory, "PK\1\2");
        add16(&directory, 20 | file->host << 8);
        add_fields(&directory, file, packed);
        lm_buffer_reserve(&directory, 6); /* no comment, disk 0 */
        add32(&directory, (size_t)file->mode << 16);
        add32(&directory, start);
        lm_buffer_text(&directory, file->name);
    }
    size_t offset = out.size;
    lm_buffer_append(&out, directory.data, directory.size);
    lm_buffer_text(&out, "PK\5\6");
    add32(&out, 0);
    add16(&out, (unsigned)count);
    add16(&out, (unsigned)count);
    add32(&out, directory.size);
    add32(&out, offset);
    add16(&out, 0);
    lm_buffer_free(&directory);
    return blob_from_buffer(&out);
}

size_t pak_directory(const blob *pak) {
    return get32(pak, 4);
}

size_t pk3_directory(const blob *pk3) {
    return get32(pk3, pk3->size - 6);
}
