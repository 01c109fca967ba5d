/* Reads members of JSON objects. */
#include "gltf.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

bool lm_im_list_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *name,
                   lm_im_list *list) {
    const lm_im_ref array = lm_im_member(json, object, name);
    if (array != 0 && json->values[array].kind != IM_ARRAY)
        return lm_im_fail(im, LM_CODE_BAD_GLTF, name, "it is not an array");
    *list = (lm_im_list){.count = lm_im_count(json, array)};
    lm_im_ref *refs = lm_arena_zeros(im->arena, list->count, sizeof *refs);
    if (!refs)
        return false;
    uint32_t i = 0;
    for (lm_im_ref e = lm_im_first(json, array); e; e = lm_im_next(json, array, e))
        refs[i++] = e;
    list->refs = refs;
    return true;
}

bool lm_im_index_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *location,
                    const char *name, uint64_t limit, uint32_t otherwise, uint32_t *out) {
    char where[80];
    uint64_t number;
    const lm_im_ref member = lm_im_member(json, object, name);
    *out = otherwise;
    if (member == 0)
        return true;
    snprintf(where, sizeof where, "%s.%s", location, name);
    if (!lm_im_integer(json, member, &number))
        return lm_im_fail(im, LM_CODE_BAD_GLTF, where, "it is not an integer of 0 or more");
    if (number >= limit)
        return lm_im_fail(im, LM_CODE_BAD_GLTF, where, "%llu is too large: it must be below %llu",
                          (unsigned long long)number, (unsigned long long)limit);
    *out = (uint32_t)number;
    return true;
}

bool lm_im_floats_of(importing *im, const lm_im_json *json, lm_im_ref object, const char *location,
                     const char *name, uint32_t count, float *out) {
    char where[80];
    const lm_im_ref member = lm_im_member(json, object, name);
    if (member == 0)
        return true;
    snprintf(where, sizeof where, "%s.%s", location, name);
    if (lm_im_count(json, member) != count)
        return lm_im_fail(im, LM_CODE_BAD_GLTF, where, "it is not an array of %u numbers",
                          (unsigned)count);
    for (lm_im_ref e = lm_im_first(json, member); e; e = lm_im_next(json, member, e)) {
        double number;
        if (!lm_im_number(json, e, &number) || fabs(number) > (double)FLT_MAX)
            return lm_im_fail(im, LM_CODE_NOT_FINITE, where,
                              "it has an element that is not a finite number");
        *out++ = (float)number;
    }
    return true;
}
