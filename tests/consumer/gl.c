/* A separate program with the renderer: calls that need no context. */
#include <lerpmesh/gl.h>
#include <lerpmesh/lerpmesh.h>

#include <stdio.h>

int main(void) {
    const lm_gl_camera camera = {.target = {1, 2, 3}, .azimuth = 90, .distance = 10, .radius = 1};
    lm_gl_view view;
    lm_gl_camera_view(&camera, &view);
    printf("lerpmesh %s\n", lm_version());
    return view.toward.y > 0.99f ? 0 : 1;
}
