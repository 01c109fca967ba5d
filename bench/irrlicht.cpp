#include "irrlicht.h"

#include <irrlicht.h>

static irr::IrrlichtDevice *device;

bool irrlicht_start(void) {
    irr::SIrrlichtCreationParameters parameters;
    parameters.DriverType = irr::video::EDT_NULL;
    parameters.LoggingLevel = irr::ELL_NONE;
    device = irr::createDeviceEx(parameters);
    return device != nullptr;
}

void irrlicht_stop(void) {
    if (device)
        device->drop();
    device = nullptr;
}

void *irrlicht_load(const char *path) {
    return device->getSceneManager()->getMesh(path);
}

void irrlicht_unload(void *mesh) {
    device->getSceneManager()->getMeshCache()->removeMesh(
        static_cast<irr::scene::IAnimatedMesh *>(mesh));
}

uint32_t irrlicht_animate(void *mesh, int32_t time) {
    irr::scene::IMesh *frame = static_cast<irr::scene::IAnimatedMesh *>(mesh)->getMesh(time);
    return frame ? frame->getMeshBuffer(0)->getVertexCount() : 0;
}

void irrlicht_box(void *mesh, int32_t time, float min_max[6]) {
    irr::scene::IMesh *frame = static_cast<irr::scene::IAnimatedMesh *>(mesh)->getMesh(time);
    irr::scene::IMeshBuffer *buffer = frame->getMeshBuffer(0);
    irr::core::aabbox3df box(buffer->getPosition(0));
    for (irr::u32 i = 1; i < buffer->getVertexCount(); i++)
        box.addInternalPoint(buffer->getPosition(i));
    const irr::core::vector3df corners[2] = {box.MinEdge, box.MaxEdge};
    for (int i = 0; i < 2; i++) {
        min_max[3 * i] = corners[i].X;
        min_max[3 * i + 1] = corners[i].Z;
        min_max[3 * i + 2] = corners[i].Y;
    }
}
