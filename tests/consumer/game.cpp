// A separate program in C++: loads a model, plays a clip of it and reads a vertex.
#include "every_header.h"

#include <cstdio>
#include <memory>
#include <vector>

namespace {

using Model = std::unique_ptr<lm_model, decltype(&lm_model_free)>;

std::vector<unsigned char> bytes_of(std::FILE *file) {
    std::vector<unsigned char> bytes(1 << 20);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    return bytes;
}

} // namespace

int main() {
    const std::vector<unsigned char> bytes = bytes_of(stdin);
    lm_load_options options = {};
    options.repair = true;
    lm_error error;
    const Model model(lm_load_memory(bytes.data(), bytes.size(), &options, &error), lm_model_free);
    if (!model) {
        std::fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    std::vector<float> xyz(3 * size_t(model->surfaces[0].num_vertices));
    lm_sample_target target = {};
    target.positions = xyz.data();
    lm_pose pose;
    lm_clip_pose(&model->clips[0], 0.1, LM_PLAY_LOOP, false, &pose);
    if (xyz.empty() || lm_sample(model.get(), 0, &pose, 1, &target) != LM_CODE_OK)
        return 1;
    std::printf("lerpmesh %s: %s at %g %g %g\n", lm_version(), model->clips[0].name, double(xyz[0]),
                double(xyz[1]), double(xyz[2]));
    return 0;
}
