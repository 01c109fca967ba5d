/* Computes each joint's transform from a pose. */
#include "tick.h"

#define GROUND (-24.0f)

static transform child(const transform *parent, lm_vec3 origin, angles a) {
    transform local = from_angles(a.pitch, a.yaw, a.roll, origin);
    return combine(parent, &local);
}

/* Roll is after pitch here: limbs swing forwards first, then outwards. */
static transform limb_joint(const transform *parent, lm_vec3 origin, float forward, float outward,
                            int side) {
    transform swung = from_angles(0, 0, side == LEFT ? outward : -outward, origin);
    transform pitched = from_angles(-forward, 0, 0, (lm_vec3){0, 0, 0});
    transform local = combine(&swung, &pitched);
    return combine(parent, &local);
}

static void set_head_joints(const struct pose *p, transform joints[NUM_JOINTS]) {
    const transform *head = &joints[HEAD];
    joints[JAW] = child(head, (lm_vec3){0, 0, 4}, (angles){p->jaw, 0, 0});
    joints[EYE_LEFT] = child(head, (lm_vec3){6.9f, 3.6f, 9.6f}, p->eyes);
    joints[EYE_RIGHT] = child(head, (lm_vec3){6.9f, -3.6f, 9.6f}, p->eyes);
}

static void set_limb_joints(const struct pose *p, transform joints[NUM_JOINTS]) {
    for (int side = LEFT; side <= RIGHT; side++) {
        float sign = side == LEFT ? 1.0f : -1.0f;
        const limb *arm = &p->arm[side], *leg = &p->leg[side];
        transform *upper = &joints[UPPER_ARM_LEFT + side], *thigh = &joints[THIGH_LEFT + side];
        *upper = limb_joint(&joints[BODY], (lm_vec3){0, 11.2f * sign, 13.6f}, arm->forward,
                            arm->outward, side);
        joints[FOREARM_LEFT + side] =
            limb_joint(upper, (lm_vec3){0, 0, -8}, arm->bend, arm->swing, side);
        *thigh = limb_joint(&joints[PELVIS], (lm_vec3){0, 5 * sign, 0}, leg->forward, leg->outward,
                            side);
        joints[BOOT_LEFT + side] =
            limb_joint(thigh, (lm_vec3){0, 0, -8}, -leg->bend, leg->swing, side);
    }
}

/* Returns the lowest point of both soles: heel and toe. */
static float lowest_sole(const transform joints[NUM_JOINTS]) {
    static const lm_vec3 sole[] = {
        {-3.6f, 0, -10}, {7.6f, 0, -10}, {2, 3.7f, -10}, {2, -3.7f, -10}};
    float lowest = 1000;
    for (int side = LEFT; side <= RIGHT; side++)
        for (int i = 0; i < 4; i++) {
            lm_vec3 point = move(&joints[BOOT_LEFT + side], sole[i]);
            lowest = point.z < lowest ? point.z : lowest;
        }
    return lowest;
}

void pose_joints(const struct pose *p, transform joints[NUM_JOINTS]) {
    joints[PELVIS] =
        from_angles(p->pelvis.pitch, p->pelvis.yaw, p->pelvis.roll, (lm_vec3){0, 0, 0});
    joints[BODY] = child(&joints[PELVIS], (lm_vec3){0, 0, 0}, p->body);
    joints[HEAD] = child(&joints[BODY], (lm_vec3){0, 0, 16.6f}, p->head);
    joints[KEY] = child(&joints[BODY], (lm_vec3){-7.4f, 0, 9}, (angles){0, 0, p->key});
    set_head_joints(p, joints);
    set_limb_joints(p, joints);
    float up = GROUND + p->lift - lowest_sole(joints);
    for (int i = 0; i < NUM_JOINTS; i++)
        joints[i].origin.z += up;
}

void pose_head(const struct pose *p, transform joints[NUM_JOINTS]) {
    joints[HEAD] = from_angles(p->head.pitch, p->head.yaw, p->head.roll, (lm_vec3){0, 0, 0});
    set_head_joints(p, joints);
}
