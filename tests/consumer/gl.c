/* A separate program with the renderer: calls that need no context. */
#include <lerpmesh/gl.h>
#include <lerpmesh/lerpmesh.h>

#include <stdio.h>

int main(void) {
    const lm_gl_camera camera = {{1, 2, 3}, 90, 0, 10, 0, 1};
    lm_gl_view view;
    lm_gl_camera_view(&camera, 1, &view);
    printf("lerpmesh %s\n", lm_version());
    return view.toward.y > 0.99f ? 0 : 1;
}
