#include "formats.h"
#include "formats/format.h"

#define DECLARE(name) extern const lm_examiner lm_examiner_##name;
#define LIST(name) &lm_examiner_##name,
LM_FORMATS(DECLARE)
static const lm_examiner *const examiners[] = {LM_FORMATS(LIST)};

const lm_examiner *lm_examiner_of(const lm_format *format) {
    size_t i = 0;
    while (examiners[i]->format != format)
        i++;
    return examiners[i];
}
