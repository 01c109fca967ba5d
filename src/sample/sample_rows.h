/* Normals for the vector kernels by loading rows of tables and turning them into planes. The file
 * that includes this has defined what sample_simd.h names, but for the normals, and
 *
 *   v_row(table, p, step)   rows of four floats for the bytes at p, p + 4 * step, ...: one in each
 *                           16 bytes of the vector
 *   v_columns(a, b, c, d)   the rows of vertices 0 .. 3 (and 4 .. 7, ...) to three planes
 */
/* The normals of a side: of vertices i, i + 4, ... */
INLINE V normal_row(const lm_sample_cursor *at, lm_sample_input input, int side, int i) {
    const uint8_t *key = side == 0 ? at->key0 : at->key1;
    if (input == LM_INPUT_U8)
        return v_row(lm_rows_162, key + 4 * i + 3, 4);
    if (lm_input_has_delta(input, side))
        return v_row(lm_rows_256, (side == 0 ? at->delta0 : at->delta1) + 4 * i + 3, 4);
    const uint8_t *angles = key + 8 * i + 6;
    return v_mul(v_row(lm_rows_rho, angles, 8), v_row(lm_rows_sigma, angles + 1, 8));
}

INLINE V mixed_row(const lm_sample_cursor *at, V mix, lm_sample_input input, int i) {
    return v_add(normal_row(at, input, 0, i), v_mul(mix, normal_row(at, input, 1, i)));
}

INLINE v3 mixed_normals(const lm_sample_cursor *at, V mix, lm_sample_input input) {
    return v_columns(mixed_row(at, mix, input, 0), mixed_row(at, mix, input, 1),
                     mixed_row(at, mix, input, 2), mixed_row(at, mix, input, 3));
}

INLINE v3 first_normals(const lm_sample_cursor *at, lm_sample_input input) {
    return v_columns(normal_row(at, input, 0, 0), normal_row(at, input, 0, 1),
                     normal_row(at, input, 0, 2), normal_row(at, input, 0, 3));
}
