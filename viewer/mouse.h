/* The mouse on the stage: left drag rotates, middle drag (or Shift) pans, wheel and pinch zoom. */
#ifndef VIEWER_MOUSE_H
#define VIEWER_MOUSE_H

#include "stage.h"

void mouse_attach(ViewerStage *stage);

#endif
