#include "style.h"

#include <adwaita.h>

void style_start(void) {
    adw_init();
}
