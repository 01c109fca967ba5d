/* Tick's skins: 256 x 256 pixels of 8 bits with a palette, as a PCX, and icons of his face, in
 * integer arithmetic only. */
#include "tick.h"

#include <string.h>

#define SHADES 16

/* The palette: ramps of 16 shades from dark to light. */
enum ramp {
    STEEL,
    BLUE,
    RED,
    BRASS,
    CREAM,
    LEATHER,
    DARK,
    GLOW,
    NUM_RAMPS
};

static const uint8_t ramp_colours[NUM_RAMPS][2][3] = {
    [STEEL] = {{38, 42, 54}, {226, 232, 240}},   [BLUE] = {{10, 34, 66}, {96, 176, 232}},
    [RED] = {{70, 8, 18}, {255, 96, 72}},        [BRASS] = {{74, 40, 8}, {255, 220, 110}},
    [CREAM] = {{120, 100, 80}, {255, 250, 232}}, [LEATHER] = {{36, 20, 14}, {176, 112, 66}},
    [DARK] = {{6, 6, 10}, {66, 66, 80}},         [GLOW] = {{20, 90, 80}, {180, 255, 230}},
};

typedef uint8_t canvas[SKIN_SIZE][SKIN_SIZE];

static void dab(canvas pixels, int x, int y, enum ramp ramp, int shade) {
    shade = shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
    if (x >= 0 && y >= 0 && x < SKIN_SIZE && y < SKIN_SIZE)
        pixels[y][x] = (uint8_t)((int)ramp * SHADES + shade);
}

/* Returns -1, 0 or 1: brushed metal, the same in every run. */
static int grain(int x, int y) {
    uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u;
    h = (h ^ h >> 13) * 1274126177u;
    return (int)(h >> 16 & 7) == 0 ? 1 : (int)(h >> 16 & 7) == 1 ? -1 : 0;
}

/* Fills a rectangle that is lighter at its top by `slope` shades, and darker in its last row. */
static void fill(canvas pixels, rectangle area, enum ramp ramp, int shade, int slope) {
    for (int y = 0; y < area.height; y++)
        for (int x = 0; x < area.width; x++) {
            int tone = shade + slope - 2 * slope * y / area.height;
            int edge = y + 1 == area.height ? -3 : y == 0 ? 2 : 0;
            dab(pixels, area.x + x, area.y + y, ramp, tone + edge + grain(area.x + x, area.y + y));
        }
}

/* Returns the area of a chart between two of its rings. */
static rectangle band(enum chart chart, int first_ring, int last_ring) {
    int rows[MAX_RINGS];
    chart_rows(chart, rows);
    rectangle area = charts[chart];
    area.y = rows[first_ring];
    area.height = rows[last_ring] - rows[first_ring] + 1;
    return area;
}

/* Returns a part of a rectangle, in hundredths of its width and height. */
static rectangle within(rectangle area, int left, int top, int right, int bottom) {
    return (rectangle){area.x + area.width * left / 100, area.y + area.height * top / 100,
                       area.width * (right - left) / 100, area.height * (bottom - top) / 100};
}

static void rivets(canvas pixels, rectangle area, int count, enum ramp ramp) {
    int y = area.y + area.height / 2;
    for (int i = 0; i < count; i++) {
        int x = area.x + (2 * i + 1) * area.width / (2 * count);
        dab(pixels, x, y, ramp, 15);
        dab(pixels, x + 1, y, ramp, 12);
        dab(pixels, x, y + 1, ramp, 5);
        dab(pixels, x + 1, y + 1, ramp, 2);
    }
}

static void seam_lines(canvas pixels, rectangle area, int count, enum ramp ramp) {
    for (int i = 0; i < count; i++)
        for (int y = 0; y < area.height; y++) {
            int x = area.x + (2 * i + 1) * area.width / (2 * count);
            dab(pixels, x, area.y + y, ramp, 2);
            dab(pixels, x + 1, area.y + y, ramp, 12);
        }
}

/* Draws a disc of `radius` half pixels. */
static void disc(canvas pixels, int x, int y, int radius, enum ramp ramp, int shade) {
    for (int j = -radius; j <= radius; j++)
        for (int i = -radius; i <= radius; i++)
            if (4 * (i * i + j * j) <= radius * radius)
                dab(pixels, x + i, y + j, ramp, shade - (i + 2 * j) * 3 / (radius + 1));
}

/* Draws his number on the chest, which reveals a mirrored model. */
static void number_two(canvas pixels, int x, int y) {
    static const char *const rows[] = {".###.", "#...#", "....#", "...#.",
                                       "..#..", ".#...", "#####"};
    for (int j = 0; j < 7 * 3; j++)
        for (int i = 0; i < 5 * 4; i++)
            if (rows[j / 3][i / 4] == '#') {
                dab(pixels, x + i + 1, y + j + 1, BLUE, 1);
                dab(pixels, x + i, y + j, CREAM, 15 - j / 4);
            }
}

static void paint_body(canvas pixels) {
    rectangle chest = band(CHART_BODY, 2, 4);
    fill(pixels, band(CHART_BODY, 0, 2), STEEL, 9, 3);
    fill(pixels, chest, BLUE, 9, 3);
    fill(pixels, band(CHART_BODY, 4, 5), BLUE, 6, 1);
    fill(pixels, band(CHART_BODY, 5, 7), LEATHER, 6, 3);
    seam_lines(pixels, chest, 4, BLUE);
    rectangle collar = band(CHART_BODY, 1, 2);
    fill(pixels, within(collar, 0, 60, 100, 100), BRASS, 10, 2);
    rectangle belt = within(band(CHART_BODY, 4, 5), 0, 55, 100, 100);
    fill(pixels, belt, BRASS, 8, 2);
    rivets(pixels, belt, 16, BRASS);
    rectangle plate = within(chest, 37, 8, 63, 96);
    fill(pixels, plate, BRASS, 10, 2);
    plate = (rectangle){plate.x + 2, plate.y + 2, plate.width - 4, plate.height - 4};
    fill(pixels, plate, BLUE, 6, 2);
    number_two(pixels, plate.x + plate.width / 2 - 10, plate.y + plate.height / 2 - 10);
    disc(pixels, charts[CHART_BODY].x, chest.y + chest.height / 2, 22, BRASS, 10);
    disc(pixels, charts[CHART_BODY].x + 159, chest.y + chest.height / 2, 22, BRASS, 10);
}

static void paint_skull(canvas pixels) {
    rectangle dome = band(CHART_SKULL, 0, 2), face = band(CHART_SKULL, 2, 4);
    fill(pixels, dome, STEEL, 11, 3);
    fill(pixels, face, STEEL, 10, 2);
    fill(pixels, band(CHART_SKULL, 4, 6), DARK, 5, 2);
    rectangle brow = within(dome, 0, 82, 100, 100);
    fill(pixels, brow, BRASS, 10, 2);
    rivets(pixels, brow, 20, BRASS);
    seam_lines(pixels, within(dome, 0, 0, 100, 80), 5, STEEL);
    rectangle visor = within(face, 28, 2, 72, 62);
    fill(pixels, visor, DARK, 3, 2);
    rectangle mouth = within(face, 32, 72, 68, 100);
    fill(pixels, mouth, RED, 3, 1);
    fill(pixels, within(mouth, 8, 0, 92, 45), CREAM, 12, 2);
    seam_lines(pixels, within(mouth, 8, 0, 92, 45), 8, CREAM);
    disc(pixels, face.x + face.width * 17 / 100, face.y + face.height / 2, 16, BRASS, 11);
    disc(pixels, face.x + face.width * 83 / 100, face.y + face.height / 2, 16, BRASS, 11);
}

static void paint_head_parts(canvas pixels) {
    rectangle chin = band(CHART_JAW, 1, 3);
    fill(pixels, charts[CHART_JAW], STEEL, 9, 3);
    fill(pixels, band(CHART_JAW, 0, 1), RED, 3, 0);
    fill(pixels, within(chin, 0, 0, 100, 22), BRASS, 11, 1);
    for (int i = 0; i < 5; i++)
        fill(pixels, within(chin, 34 + 7 * i, 36, 37 + 7 * i, 84), DARK, 3, 1);
    fill(pixels, charts[CHART_EYE], CREAM, 13, 2);
    rectangle iris = band(CHART_EYE, 0, 1);
    fill(pixels, iris, GLOW, 9, -3);
    fill(pixels, within(iris, 0, 0, 100, 62), DARK, 2, 1);
    fill(pixels, within(iris, 68, 40, 86, 85), CREAM, 15, 0);
    fill(pixels, charts[CHART_CREST], RED, 9, 4);
    seam_lines(pixels, charts[CHART_CREST], 8, RED);
    fill(pixels, charts[CHART_KEY], BRASS, 10, 3);
    fill(pixels, band(CHART_KEY, 0, 2), BRASS, 6, 2);
}

static void paint_limbs(canvas pixels) {
    fill(pixels, band(CHART_UPPER_ARM, 0, 4), BLUE, 10, 4);
    fill(pixels, band(CHART_UPPER_ARM, 4, 6), STEEL, 5, 2);
    rectangle rim = within(band(CHART_UPPER_ARM, 2, 3), 0, 55, 100, 100);
    fill(pixels, rim, BRASS, 10, 1);
    fill(pixels, band(CHART_FOREARM, 0, 2), STEEL, 7, 3);
    fill(pixels, band(CHART_FOREARM, 2, 3), BRASS, 10, 1);
    fill(pixels, band(CHART_FOREARM, 3, 6), LEATHER, 10, 4);
    fill(pixels, charts[CHART_THIGH], STEEL, 7, 3);
    seam_lines(pixels, charts[CHART_THIGH], 6, STEEL);
    fill(pixels, band(CHART_BOOT, 0, 2), STEEL, 8, 2);
    rectangle knee = within(band(CHART_BOOT, 1, 2), 36, 0, 64, 70);
    fill(pixels, knee, BRASS, 10, 3);
    fill(pixels, band(CHART_BOOT, 2, 3), BRASS, 9, 1);
    fill(pixels, band(CHART_BOOT, 3, 5), BLUE, 8, 3);
    fill(pixels, band(CHART_BOOT, 5, 6), DARK, 5, 0);
    rectangle toe = within(band(CHART_BOOT, 4, 5), 34, 10, 66, 100);
    fill(pixels, toe, STEEL, 11, 2);
}

/* ---- PCX: ZSoft's, version 5, one plane of 8 bits ------------------------------------------ */

/* A run is 0xc0 + its length and the byte; so is a single byte that would read as a run. */
static void put_row(lm_buffer *out, const uint8_t *row) {
    for (int x = 0; x < SKIN_SIZE;) {
        int run = 1;
        while (x + run < SKIN_SIZE && run < 63 && row[x + run] == row[x])
            run++;
        uint8_t head = (uint8_t)(0xc0 | run);
        if (run > 1 || row[x] >= 0xc0)
            lm_buffer_append(out, &head, 1);
        lm_buffer_append(out, &row[x], 1);
        x += run;
    }
}

static void make_palette(bool red, uint8_t palette[NUM_RAMPS * SHADES][3]) {
    for (int i = 0; i < NUM_RAMPS * SHADES; i++) {
        int ramp = i / SHADES;
        if (red)
            ramp = ramp == BLUE ? RED : ramp == RED ? BLUE : ramp;
        for (int k = 0; k < 3; k++) {
            int dark = ramp_colours[ramp][0][k], light = ramp_colours[ramp][1][k];
            palette[i][k] = (uint8_t)(dark + (light - dark) * (i % SHADES) / (SHADES - 1));
        }
    }
}

static void paint(canvas pixels) {
    memset(pixels, DARK * SHADES + 4, sizeof(canvas));
    paint_body(pixels);
    paint_skull(pixels);
    paint_head_parts(pixels);
    paint_limbs(pixels);
}

bool make_skin(lm_buffer *out, bool red) {
    canvas pixels;
    paint(pixels);
    uint8_t header[128] = {10, 5, 1, 8};
    header[8] = header[10] = SKIN_SIZE - 1; /* the last column and row */
    header[65] = 1;                         /* planes */
    header[66] = SKIN_SIZE % 256;           /* bytes a row */
    header[67] = SKIN_SIZE / 256;
    header[68] = 1;
    lm_buffer_append(out, header, sizeof header);
    for (int y = 0; y < SKIN_SIZE; y++)
        put_row(out, pixels[y]);
    uint8_t palette[1 + 256][3] = {{12}};
    make_palette(red, palette + 1);
    lm_buffer_append(out, &palette[0][0], 1);
    lm_buffer_append(out, palette + 1, sizeof palette - sizeof *palette);
    return !out->failed;
}

/* ---- TGA: 24 bits, rows from the bottom, not compressed ------------------------------------ */

bool make_icon(lm_buffer *out, bool red) {
    enum {
        SIZE = 64
    };
    canvas pixels;
    paint(pixels);
    const rectangle skull = charts[CHART_SKULL];
    const int left = skull.x + (skull.width - SIZE) / 2, top = skull.y + 12;
    for (int side = -1; side <= 1; side += 2) {
        int x = left + SIZE / 2 + side * 12, y = top + 26;
        disc(pixels, x, y, 14, CREAM, 14);
        disc(pixels, x, y, 8, GLOW, 9);
        disc(pixels, x, y, 4, DARK, 2);
    }
    uint8_t palette[NUM_RAMPS * SHADES][3];
    make_palette(red, palette);
    const uint8_t header[18] = {[2] = 2, [12] = SIZE, [14] = SIZE, [16] = 24};
    lm_buffer_append(out, header, sizeof header);
    for (int y = SIZE - 1; y >= 0; y--)
        for (int x = 0; x < SIZE; x++) {
            const uint8_t *colour = palette[pixels[top + y][left + x]];
            lm_buffer_append(out, (uint8_t[]){colour[2], colour[1], colour[0]}, 3);
        }
    return !out->failed;
}
