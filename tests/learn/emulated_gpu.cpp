// The words of tensor_cores.cu on a processor: the threads of a block are fibers, which take turns wherever threads of a warp meet.
//
// A copy into shared memory arrives as late as it may, or as early (`is_early`), and a warp goes on as far as it may before another does: who does
// not wait for either, or begins a copy too soon, is found out.
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#define __device__
#define __global__
#define __launch_bounds__(...)
using std::min;

typedef unsigned int u32;

namespace gpu {
struct Copy {
    int place;
    const void* from;
    bool is_closed;
};
struct Fiber {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(1 << 16);
    bool is_done = false, has_met = false;
    std::deque<std::vector<Copy>> groups{1};  // on their way; the last is open
    // what a thread hands over where its warp meets, by turns, so that nobody overwrites what another has not read
    int turn = 0, place[2];
    u32 a[2][4], b[2][2];
};
ucontext_t caller;
std::vector<std::unique_ptr<Fiber>> fibers;
std::vector<unsigned char> memory;
int current, block;
bool is_early;

Fiber& mine() { return *fibers[current]; }
Fiber& lane(int l) { return *fibers[current / 32 * 32 + l]; }
void yield() { swapcontext(&mine().context, &caller); }
void arrive(const std::vector<Copy>& copies) {
    for (const Copy& c : copies) std::memcpy(&memory.at(c.place), c.from, 16);
}
float number(u32 pair, int i) {
    u32 bits = i ? pair & 0xffff0000u : pair << 16;
    float x;
    std::memcpy(&x, &bits, 4);
    return x;
}
}  // namespace gpu

inline int thread_here() { return gpu::current; }
inline int block_here() { return gpu::block; }
inline void meet() {
    gpu::mine().has_met = true;
    gpu::yield();
}

inline void store(int place, u32 x) { std::memcpy(&gpu::memory.at(place + 3) - 3, &x, 4); }
inline u32 load(int place) {
    u32 x;
    std::memcpy(&x, &gpu::memory.at(place + 3) - 3, 4);
    return x;
}

inline u32 rounded(float x) {
    u32 bits;
    std::memcpy(&bits, &x, 4);
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
inline u32 pair_of(float first, float second) { return rounded(first) | rounded(second) << 16; }
inline float first_of(u32 pair) { return gpu::number(pair, 0); }
inline float second_of(u32 pair) { return gpu::number(pair, 1); }

inline void begin_copy(int place, const void* from) {
    gpu::Copy copy{place, from, false};
    if (gpu::is_early) gpu::arrive({copy});
    else gpu::mine().groups.back().push_back(copy);
}
inline void close_group() { gpu::mine().groups.emplace_back(); }
template <int left> inline void wait_for_groups() {
    auto& groups = gpu::mine().groups;
    for (; (int)groups.size() - 1 > left; groups.pop_front()) gpu::arrive(groups.front());
}

inline void load_squares(u32 (&squares)[4], int place) {
    int turn = gpu::mine().turn ^= 1, l = gpu::current % 32;
    gpu::mine().place[turn] = place;
    gpu::yield();
    for (int i = 0; i < 4; i++) squares[i] = load(gpu::lane(8 * i + l / 4).place[turn] + l % 4 * 4);
}

inline void multiply(float (&sum)[4], const u32 (&a)[4], u32 upper, u32 lower) {
    auto& me = gpu::mine();
    int turn = me.turn ^= 1, l = gpu::current % 32;
    std::copy(a, a + 4, me.a[turn]);
    me.b[turn][0] = upper;
    me.b[turn][1] = lower;
    gpu::yield();
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 16; k++) {
            int row = l / 4, column = 2 * (l % 4) + i % 2;
            u32 left = gpu::lane(row * 4 + k % 8 / 2).a[turn][k / 8 * 2 + i / 2], right = gpu::lane(column * 4 + k % 8 / 2).b[turn][k / 8];
            sum[i] += gpu::number(left, k % 2) * gpu::number(right, k % 2);
        }
}

#include "tower.cu"

static const float *inputs, *biases;
static const u32 *stem, *weights;
static u32* out;
static int count;

static void run_thread() {
    tower(inputs, stem, weights, biases, out, count);
    gpu::mine().is_done = true;
}

// As far as where all threads of the block meet: a warp that comes there first is far ahead of the last.
static void run_warp(int warp) {
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (gpu::current = 32 * warp; gpu::current < 32 * warp + 32; gpu::current++) {
            if (gpu::mine().is_done || gpu::mine().has_met) continue;
            swapcontext(&gpu::caller, &gpu::mine().context);
            goes_on = goes_on || !(gpu::mine().is_done || gpu::mine().has_met);
        }
    }
}

// A copy of numbers, behind which nothing may be read.
static const float* guarded(const float* numbers, long bytes) {
    long page = sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    char* memory = (char*)mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory + room, page, PROT_NONE);
    return (const float*)std::memcpy(memory + room - bytes, numbers, bytes);
}

// The kernel with so many bytes of shared memory, one block after another.
extern "C" void run(int blocks, int bytes, int early, const float* in, const u32* first, const u32* rest, const float* added, u32* to, int boards) {
    inputs = guarded(in, 4L * boards * CELLS * CHANNELS), stem = first, weights = rest, biases = added, out = to, count = boards;
    gpu::is_early = early;
    for (gpu::block = 0; gpu::block < blocks; gpu::block++) {
        gpu::memory.assign(bytes, 0xff);  // not numbers
        gpu::fibers.clear();
        for (int i = 0; i < THREADS; i++) {
            auto fiber = std::make_unique<gpu::Fiber>();
            getcontext(&fiber->context);
            fiber->context.uc_stack.ss_sp = fiber->stack.data();
            fiber->context.uc_stack.ss_size = fiber->stack.size();
            fiber->context.uc_link = &gpu::caller;
            makecontext(&fiber->context, run_thread, 0);
            gpu::fibers.push_back(std::move(fiber));
        }
        for (bool is_over = false; !is_over;) {
            for (int i = 0; i < WARPS; i++) run_warp(early ? WARPS - 1 - i : i);
            is_over = true;
            for (auto& fiber : gpu::fibers) {
                fiber->has_met = false;
                is_over = is_over && fiber->is_done;
            }
        }
    }
}
