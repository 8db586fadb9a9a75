/* What a device computes while it is looked at. */
__kernel void fairlead_probe(__global uint *items, uint count) {
  uint i = get_global_id(0);
  if (i < count) {
    items[i] = items[i] * 31u + i;
  }
}

/* Writes where nothing is. */
__kernel void wild(void) {
  __global volatile uint *nowhere = (__global volatile uint *)(size_t)16;
  *nowhere = 1;
}

/* Runs until the first item is not zero. */
__kernel void hang(__global volatile uint *items) {
  while (items[0] == 0) {
  }
}
