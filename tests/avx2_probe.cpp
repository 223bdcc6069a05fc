// Dies of SIGILL where there is no AVX2; proves that the baseline test can fail.
__attribute__((target("avx2"))) int main() { asm volatile("vpabsb %%ymm0, %%ymm0" ::: "xmm0"); }
