/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * ISA-L called from C: the yardstick of the kernel benchmark, which builds this with the system's gcc. The prototypes are
 * those of isa-l/erasure_code.h and isa-l/raid.h, written out so that libisal-dev is not needed.
 */
void ec_encode_data(int len, int k, int rows, unsigned char *tables, unsigned char **data, unsigned char **coding);
void ec_encode_data_update(int len, int k, int rows, int vec_i, unsigned char *tables, unsigned char *data,
                           unsigned char **coding);
void ec_init_tables(int k, int rows, unsigned char *a, unsigned char *tables);
int xor_gen(int vects, int len, void **array);

void loop_init_tables(int k, int rows, unsigned char *matrix, unsigned char *tables) {
  ec_init_tables(k, rows, matrix, tables);
}

void loop_encode(int times, int len, int k, int rows, unsigned char *tables, unsigned char **data,
                 unsigned char **coding) {
  for (int i = 0; i < times; i++) ec_encode_data(len, k, rows, tables, data, coding);
}

void loop_update(int times, int len, int rows, unsigned char *tables, unsigned char *delta, unsigned char **coding) {
  for (int i = 0; i < times; i++) ec_encode_data_update(len, 1, rows, 0, tables, delta, coding);
}

/* dst ^= src, as Kernel.xor does it. */
void loop_xor(int times, int len, unsigned char *dst, unsigned char *src) {
  for (int i = 0; i < times; i++) {
    void *vectors[3] = {dst, src, dst};
    xor_gen(3, len, vectors);
  }
}
