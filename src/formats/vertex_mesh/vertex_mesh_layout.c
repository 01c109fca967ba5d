/* The chain of surfaces in files that may be damaged, and the tables of what both formats have. */
#include "formats/vertex_mesh/vertex_mesh.h"

const lm_column lm_mesh_frame_columns[LM_MESH_NUM_FRAME_COLUMNS] = {
    {"bboxMin x", 0, LM_CELL_F32, 0},
    {"bboxMin y", 4, LM_CELL_F32, 0},
    {"bboxMin z", 8, LM_CELL_F32, 0},
    {"bboxMax x", 12, LM_CELL_F32, 0},
    {"bboxMax y", 16, LM_CELL_F32, 0},
    {"bboxMax z", 20, LM_CELL_F32, 0},
    {"localOrigin x", 24, LM_CELL_F32, 0},
    {"localOrigin y", 28, LM_CELL_F32, 0},
    {"localOrigin z", 32, LM_CELL_F32, 0},
    {"radius", 36, LM_CELL_F32, 0},
    {"name", 40, LM_CELL_TEXT, LM_MESH_FRAME_NAME_SIZE}};

const lm_column lm_mesh_st_columns[LM_MESH_NUM_ST_COLUMNS] = {{"s", 0, LM_CELL_F32, 0},
                                                              {"t", 4, LM_CELL_F32, 0}};

const lm_column lm_mesh_vertex_columns[LM_MESH_NUM_VERTEX_COLUMNS] = {{"x", 0, LM_CELL_S16, 0},
                                                                      {"y", 2, LM_CELL_S16, 0},
                                                                      {"z", 4, LM_CELL_S16, 0},
                                                                      {"rho", 6, LM_CELL_U8, 0},
                                                                      {"sigma", 7, LM_CELL_U8, 0}};

uint64_t lm_mesh_most_surfaces(lm_bytes file, const lm_mesh_chain_layout *chain) {
    uint64_t room = file.size / chain->surface_header_size;
    uint64_t stated = lm_count(chain->num_surfaces);
    return stated < room ? stated : room;
}

bool lm_mesh_has_surface(lm_bytes file, const lm_mesh_chain_layout *chain, size_t start) {
    return lm_fits(file.size, start, 1, chain->surface_header_size);
}

bool lm_mesh_next_surface(lm_bytes file, const lm_mesh_chain_layout *chain, size_t *start) {
    int32_t ofs_end = lm_get_s32(file.data + *start + chain->ofs_end_at);
    if (ofs_end <= 0 || (uint32_t)ofs_end > file.size - *start)
        return false;
    *start += (uint32_t)ofs_end;
    return lm_mesh_has_surface(file, chain, *start);
}

bool lm_mesh_find_surface(lm_bytes file, const lm_mesh_chain_layout *chain, unsigned long index,
                          size_t *start) {
    *start = (uint32_t)chain->ofs_surfaces;
    if (index >= lm_mesh_most_surfaces(file, chain) || !lm_mesh_has_surface(file, chain, *start))
        return false;
    for (unsigned long i = 0; i < index; i++)
        if (!lm_mesh_next_surface(file, chain, start))
            return false;
    return true;
}
