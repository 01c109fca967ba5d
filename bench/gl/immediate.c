#include "immediate.h"

#include "lerpmesh/base.h"

#include <epoxy/gl.h>

static float mix(float a, float b, float t) {
    return a + t * (b - a);
}

static void send_vertex(const lm_model *model, lm_pose pose, uint32_t vertex) {
    const lm_surface *s = &model->surfaces[0];
    const lm_frame *fa = &model->frames[pose.frame_a], *fb = &model->frames[pose.frame_b];
    const uint8_t *a = s->keys + pose.frame_a * s->key_stride + vertex * s->key_size;
    const uint8_t *b = s->keys + pose.frame_b * s->key_stride + vertex * s->key_size;
    lm_vec3 na = lm_normal_table(LM_NUM_NORMALS_162)[a[3]],
            nb = lm_normal_table(LM_NUM_NORMALS_162)[b[3]];
    glNormal3f(mix(na.x, nb.x, pose.t), mix(na.y, nb.y, pose.t), mix(na.z, nb.z, pose.t));
    glVertex3f(mix((float)a[0] * fa->scale.x + fa->translate.x,
                   (float)b[0] * fb->scale.x + fb->translate.x, pose.t),
               mix((float)a[1] * fa->scale.y + fa->translate.y,
                   (float)b[1] * fb->scale.y + fb->translate.y, pose.t),
               mix((float)a[2] * fa->scale.z + fa->translate.z,
                   (float)b[2] * fb->scale.z + fb->translate.z, pose.t));
}

void immediate_triangles(const lm_model *model, lm_pose pose) {
    const lm_surface *s = &model->surfaces[0];
    glBegin(GL_TRIANGLES);
    for (size_t i = 0; i < 3 * (size_t)s->num_triangles; i++) {
        uint32_t v = s->triangles[i];
        glTexCoord2f(s->st[v].x, s->st[v].y);
        send_vertex(model, pose, s->file_vertices[v]);
    }
    glEnd();
}

void immediate_commands(const lm_model *model, lm_pose pose) {
    const lm_gl_commands *commands = &model->gl_commands;
    for (uint32_t p = 0; p < commands->num_primitives; p++) {
        const lm_gl_primitive *primitive = &commands->primitives[p];
        glBegin(primitive->fan ? GL_TRIANGLE_FAN : GL_TRIANGLE_STRIP);
        for (uint32_t i = 0; i < primitive->count; i++) {
            const lm_gl_vertex *v = &commands->vertices[primitive->first + i];
            glTexCoord2f(v->s, v->t);
            send_vertex(model, pose, v->vertex);
        }
        glEnd();
    }
}
