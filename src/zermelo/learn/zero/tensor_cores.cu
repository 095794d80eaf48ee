// What the kernels here need of a GPU, each word one instruction of PTX (compute capability 8.0 and above).
// Places in shared memory are given in bytes from its start. tests/learn/emulated_gpu.cpp has the same words for a processor.

typedef unsigned int u32;

extern __shared__ __align__(128) unsigned char shared_memory[];

__device__ inline int thread_here() { return threadIdx.x; }
__device__ inline int block_here() { return blockIdx.x; }
__device__ inline u32 address_of(int place) { return (u32)__cvta_generic_to_shared(shared_memory) + place; }

// All threads of the block are here, and see what the others wrote into shared memory.
__device__ inline void meet() { __syncthreads(); }

__device__ inline void store(int place, u32 x) { *(u32*)(shared_memory + place) = x; }
__device__ inline u32 load(int place) { return *(u32*)(shared_memory + place); }

// Two numbers as a pair of bfloat16, and the two of a pair.
__device__ inline u32 pair_of(float first, float second) {
    u32 pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
}
__device__ inline float first_of(u32 pair) { return __uint_as_float(pair << 16); }
__device__ inline float second_of(u32 pair) { return __uint_as_float(pair & 0xffff0000u); }

// 16 bytes of global memory on their way into shared memory; whoever waits until only `left` groups are on their way has all earlier ones.
__device__ inline void begin_copy(int place, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address_of(place)), "l"(__cvta_generic_to_global(from)) : "memory");
}
__device__ inline void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int left> __device__ inline void wait_for_groups() { asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory"); }

// A warp together: four squares of 8 x 8 numbers, the rows of square i (16 bytes each) at the places of lanes 8 i to 8 i + 7.
// Of each square, lane l has numbers 2 (l % 4) and 2 (l % 4) + 1 of row l / 4.
__device__ inline void load_squares(u32 (&squares)[4], int place) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(squares[0]), "=r"(squares[1]), "=r"(squares[2]), "=r"(squares[3])
                 : "r"(address_of(place))
                 : "memory");
}

// A warp together: sum (16 x 8) += a (16 x 16) b (16 x 8). Lane l has of the sum numbers 2 (l % 4) and 2 (l % 4) + 1 of rows l / 4 and 8 + l / 4;
// the squares of a are its upper left, lower left, upper right and lower right, those of b, whose columns are the squares' rows, its upper and lower.
__device__ inline void multiply(float (&sum)[4], const u32 (&a)[4], u32 upper, u32 lower) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(upper), "r"(lower));
}
