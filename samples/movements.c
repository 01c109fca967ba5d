/* Tick's movements that several of his models have. */
#include "clips.h"

struct pose at_ease(void) {
    struct pose p = {.arm = {{0, 14, 16, 0}, {0, 14, 16, 0}}};
    return p;
}

float hump(float phase, float from, float to) {
    return phase <= from || phase >= to ? 0 : sine(180 * (phase - from) / (to - from));
}

struct pose stand(float phase) {
    struct pose p = at_ease();
    float breath = sine(360 * phase), knees = 5 + 4 * breath;
    for (int side = LEFT; side <= RIGHT; side++) {
        p.leg[side] = (limb){knees, 3, 2 * knees, -3};
        p.arm[side].outward += 3 * breath;
    }
    p.pelvis.pitch = 2 * breath;
    p.head = (angles){-3 * breath, 22 * sine(360 * phase), 3 * sine(720 * phase)};
    p.eyes.yaw = 12 * sine(360 * phase);
    p.key = 180 * phase;
    return p;
}

struct pose run(float phase) {
    struct pose p = at_ease();
    for (int side = LEFT; side <= RIGHT; side++) {
        float stride = sine(360 * phase + 180 * (float)side);
        float raised = sine(360 * phase + 180 * (float)side + 80);
        p.leg[side] = (limb){8 + 44 * stride, 2, 22 + 46 * (raised > 0 ? raised : 0), 0};
        p.arm[side] = (limb){-46 * stride, 14, 66, 0};
    }
    float bounce = sine(720 * phase + 40);
    p.lift = bounce > 0 ? 2.4f * bounce : 0;
    p.pelvis.pitch = 10;
    p.body = (angles){4, -10 * sine(360 * phase), 3 * sine(360 * phase)};
    p.head = (angles){-10 + 3 * bounce, 8 * sine(360 * phase), 0};
    p.jaw = 8;
    p.key = 360 * phase;
    return p;
}

struct pose jump(float phase) {
    struct pose p = at_ease();
    float crouch = hump(phase, 0, 0.34f) + 0.8f * hump(phase, 0.72f, 1.0f);
    float flight = hump(phase, 0.24f, 0.8f);
    for (int side = LEFT; side <= RIGHT; side++) {
        p.leg[side] = (limb){4 + 46 * crouch + 26 * flight, 4, 8 + 84 * crouch + 50 * flight, 0};
        p.arm[side] = (limb){-34 * crouch + 40 * flight, 14 + 96 * flight, 16 + 20 * crouch, 0};
    }
    p.pelvis.pitch = 18 * crouch - 6 * flight;
    p.head.pitch = -14 * crouch - 8 * flight;
    p.jaw = 20 * flight;
    p.lift = 15 * flight;
    p.key = 180 * phase;
    return p;
}

struct pose wave(float phase) {
    struct pose p = stand(phase);
    float raised = 1.6f * hump(phase, -0.06f, 1.06f);
    raised = raised > 1 ? 1 : raised;
    p.arm[RIGHT] =
        (limb){0, 14 + 92 * raised, 16 - 16 * raised, raised * (56 + 34 * sine(1080 * phase))};
    p.body.roll = -5 * raised;
    p.head = (angles){-4 * raised, -12 * raised, -9 * raised};
    p.jaw = 12 * raised * hump(phase, 0.2f, 0.8f);
    return p;
}
