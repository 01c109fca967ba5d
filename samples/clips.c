#include "clips.h"

#include <stdio.h>
#include <string.h>

bool clip_frame(const struct clip *clips, int num_clips, int frame, struct pose *pose,
                char name[16]) {
    for (int i = 0; i < num_clips; i++) {
        const struct clip *clip = &clips[i];
        if (frame < clip->count) {
            int steps = clip->count - clip->once;
            *pose = clip->at((float)frame / (float)steps);
            memset(name, 0, 16);
            snprintf(name, 16, "%.9s%02d", clip->name, (clip->first_number + frame) % 1000);
            return true;
        }
        frame -= clip->count;
    }
    return false;
}
