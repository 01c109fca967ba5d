/* Somebody else's program with the renderer: what needs no context. */
#include <lerpmesh/gl.h>
#include <lerpmesh/lerpmesh.h>

#include <stdio.h>

int main(void) {
    const lm_tag_pose tag = {{1, 2, 3}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
    lm_gl_transform at = lm_gl_attach(NULL, &tag);
    printf("lerpmesh %s\n", lm_version());
    return at.origin.z == 3 ? 0 : 1;
}
