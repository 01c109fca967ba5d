#include "model/weapon.h"

#include "core/text.h"

#include <string.h>

const lm_weapon_kind lmi_weapon_kinds[LM_WEAPON_KINDS] = {
    {"_hand", NULL},
    {"", "tag_weapon"},
    {"_scope", "tag_scope"},
    {"_flash", "tag_flash"},
    {"_barrel", "tag_barrel"},
    {"_barrel2", "tag_barrel2"},
    {"_barrel3", "tag_barrel3"},
    {"_barrel4", "tag_barrel4"},
    {"_barrel5", "tag_barrel5"},
    {"_barrel6", "tag_barrel6"},
    {"_barrel7", "tag_barrel7"},
};

uint32_t lmi_weapon_kind_of(const char *name, size_t all, size_t *length) {
    for (uint32_t k = 0; k < LM_WEAPON_KINDS; k++) {
        const char *suffix = lmi_weapon_kinds[k].suffix;
        const size_t end = strlen(suffix);
        *length = all - end;
        if (end > 0 && all > end + 2 && lmi_same_letters(name + *length, suffix, end))
            return k;
    }
    *length = all;
    return LM_WEAPON_ITSELF;
}
