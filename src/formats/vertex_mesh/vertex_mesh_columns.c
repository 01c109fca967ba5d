/* The columns of lumps that MD3 and MDC share. */
#include "formats/vertex_mesh/vertex_mesh.h"

const lm_column lm_vertex_mesh_frame_columns[LM_VERTEX_MESH_NUM_FRAME_COLUMNS] = {
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
    {"name", 40, LM_CELL_TEXT, LM_VERTEX_MESH_FRAME_NAME_SIZE}};

const lm_column lm_vertex_mesh_st_columns[LM_VERTEX_MESH_NUM_ST_COLUMNS] = {
    {"s", 0, LM_CELL_F32, 0}, {"t", 4, LM_CELL_F32, 0}};

const lm_column lm_vertex_mesh_vertex_columns[LM_VERTEX_MESH_NUM_VERTEX_COLUMNS] = {
    {"x", 0, LM_CELL_S16, 0},
    {"y", 2, LM_CELL_S16, 0},
    {"z", 4, LM_CELL_S16, 0},
    {"rho", 6, LM_CELL_U8, 0},
    {"sigma", 7, LM_CELL_U8, 0}};
