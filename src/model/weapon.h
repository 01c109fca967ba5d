/* The models of a first-person weapon of Return to Castle Wolfenstein, by their names. */
#ifndef LM_MODEL_WEAPON_H
#define LM_MODEL_WEAPON_H

#include <stddef.h>
#include <stdint.h>

/* The game numbers barrels from 1. */
#define LM_MAX_BARRELS 7

enum {
    LM_WEAPON_HAND,
    LM_WEAPON_ITSELF,
    LM_WEAPON_SCOPE, /* which the weapon holds, as the flash */
    LM_WEAPON_FLASH,
    LM_WEAPON_BARREL, /* the first, which the hand holds, as the others */
    LM_WEAPON_KINDS = LM_WEAPON_BARREL + LM_MAX_BARRELS
};

/* A kind of model: what follows v_NAME in its name, and the tag that holds it. */
typedef struct lm_weapon_kind {
    const char *suffix, *tag;
} lm_weapon_kind;

extern const lm_weapon_kind lmi_weapon_kinds[LM_WEAPON_KINDS];

/* Returns the kind of a model by the first `all` bytes of its name, case-insensitive, and sets the
 * length of v_NAME. A name without another model's suffix is that of the weapon itself. */
uint32_t lmi_weapon_kind_of(const char *name, size_t all, size_t *length);

/* Returns the bit of a barrel in the bits of a row of weapon.cfg; 0: the kind is no barrel. */
static inline unsigned lmi_barrel_bit(uint32_t kind) {
    return kind < LM_WEAPON_BARREL ? 0 : 1U << (kind - LM_WEAPON_BARREL);
}

#endif
