/* The tower of a network that sees a board, in one kernel: what it computes between its layers never leaves a processor of the GPU.

    x = relu(conv(inputs) + bias)
    for each block:
        y = relu(conv(x) + bias)
        x = relu(conv(y) + bias + x)
    out = relu(conv1x1(x) + bias)

Each block of threads has BOARDS boards, from the first layer to the last. Their cells are the rows of the matrices x and y in shared memory. A convolution is a
product of matrices: for each of its nine taps, the row of each cell's neighbour, or zeros beyond the edge, times the weights of the tap. Weights come
through a ring of STAGES parts, three taps each, while those before them are used. A warp computes 16 * TILES rows of a layer.

HEIGHT, WIDTH, CHANNELS, BLOCKS, HEAD, BOARDS, TILES and STAGES are known when this is compiled (tower.py). */

constexpr int FILTERS = 64, WARPS = 8, THREADS = 32 * WARPS, CELLS = HEIGHT * WIDTH;
constexpr int ROWS = 16 * TILES * WARPS;                                             // of which BOARDS * CELLS are cells of a board
constexpr int LAYERS = 2 * BLOCKS, PARTS = 3 * LAYERS;                               // of the blocks; after these parts come the weights of the last layer
constexpr int NUMBERS = FILTERS / 8, COLUMNS = FILTERS / 16;                         // tiles of 8 and of 16 filters
constexpr int PITCH = 2 * FILTERS + 16;                                              // bytes from row to row: so eight rows lie in different banks
constexpr int PART = 3 * FILTERS * PITCH;                                            // bytes
constexpr int STEM_EIGHTS = 9 * CHANNELS / 8, STEM_STEPS = (STEM_EIGHTS + 1) / 2;    // of the first layer: eights of numbers, and sixteens
constexpr int STEM_PITCH = 32 * STEM_STEPS + 16;
constexpr int ZEROS = 0, X = ZEROS + 8 * PITCH, Y = X + ROWS * PITCH, RING = Y + ROWS * PITCH;  // places in shared memory
static_assert(BOARDS * CELLS <= ROWS && FILTERS * STEM_PITCH <= ROWS * PITCH && CHANNELS <= FILTERS && HEAD == 16, "no room");

typedef float Sum[TILES][NUMBERS][4];

// The rows whose numbers a lane hands over: one of each of its warp's tiles.
struct Rows {
    int row[TILES];
    u32 taps[TILES];  // bit t: tap t is on the board
};

__device__ inline Rows rows_of_lane(int warp, int lane) {
    Rows rows;
    for (int t = 0; t < TILES; t++) {
        int row = (warp * TILES + t) * 16 + lane % 16, cell = row % CELLS, y = cell / WIDTH, x = cell % WIDTH;
        rows.row[t] = row;
        rows.taps[t] = 0;
        for (int tap = 0; tap < 9; tap++) {
            int to_y = y + tap / 3 - 1, to_x = x + tap % 3 - 1;
            bool is_there = row < BOARDS * CELLS && to_y >= 0 && to_y < HEIGHT && to_x >= 0 && to_x < WIDTH;
            rows.taps[t] |= is_there ? 1u << tap : 0u;
        }
    }
    return rows;
}

// The place of the neighbour of a lane's row in a matrix, or of zeros in the same banks.
__device__ inline int neighbour(const Rows& rows, int t, int matrix, int tap) {
    int row = rows.row[t] + (tap / 3 - 1) * WIDTH + tap % 3 - 1;
    return rows.taps[t] >> tap & 1 ? matrix + row * PITCH : ZEROS + (row & 7) * PITCH;
}

__device__ inline void begin_at_bias(Sum& sum, const float* bias, int lane) {
#pragma unroll
    for (int n = 0; n < NUMBERS; n++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float x = bias[8 * n + 2 * (lane % 4) + i % 2];
#pragma unroll
            for (int t = 0; t < TILES; t++) sum[t][n][i] = x;
        }
}

// One step of a product: 16 numbers of each row, at the lane's places, times as many of all filters, which begin at the place of weights.
struct Factors {
    u32 a[TILES][4], b[COLUMNS][4];
};

__device__ inline void load_factors(Factors& f, const int (&places)[TILES], int offset, int weights, int pitch, int lane) {
    int half = lane / 16, of_weights = weights + (half * 8 + lane % 8) * pitch + lane / 8 % 2 * 16;
#pragma unroll
    for (int n = 0; n < COLUMNS; n++) load_squares(f.b[n], of_weights + n * 16 * pitch);
#pragma unroll
    for (int t = 0; t < TILES; t++) load_squares(f.a[t], places[t] + half * 16 + offset);
}

__device__ inline void multiply_factors(Sum& sum, const Factors& f) {
#pragma unroll
    for (int n = 0; n < NUMBERS; n++)
#pragma unroll
        for (int t = 0; t < TILES; t++) multiply(sum[t][n], f.a[t], f.b[n / 2][n % 2 * 2], f.b[n / 2][n % 2 * 2 + 1]);
}

// The parts of the ring: three taps of a layer, or, after all of these, the last layer.
__device__ inline void begin_part(const u32* weights, int part) {
    int place = RING + part % STAGES * PART, pieces = part < PARTS ? 3 * FILTERS * 8 : part == PARTS ? HEAD * 8 : 0;
    const u32* from = weights + (long long)part * 3 * FILTERS * FILTERS / 2;
    for (int i = thread_here(); i < pieces; i += THREADS) begin_copy(place + i / 8 * PITCH + i % 8 * 16, from + 4 * i);
    close_group();
}

// sum += the convolution of a matrix by a layer of the blocks, three taps at a time.
__device__ inline void convolve(Sum& sum, const Rows& rows, int matrix, const u32* weights, int layer, int lane) {
    for (int up = 0; up < 3; up++) {
        int part = 3 * layer + up, place = RING + part % STAGES * PART;
        wait_for_groups<STAGES - 2>();
        meet();  // the part is there for all, and all are done with the one before it, and with the last layer
        begin_part(weights, part + STAGES - 1);
        constexpr int STEPS = FILTERS / 16;
        int places[3][TILES];
#pragma unroll
        for (int side = 0; side < 3; side++)
#pragma unroll
            for (int t = 0; t < TILES; t++) places[side][t] = neighbour(rows, t, matrix, 3 * up + side);
        Factors factors[2];
        load_factors(factors[0], places[0], 0, place, PITCH, lane);
#pragma unroll
        for (int i = 0; i < 3 * STEPS; i++) {
            int next = i + 1, side = next / STEPS, k = next % STEPS * 32;
            if (next < 3 * STEPS) load_factors(factors[next % 2], places[side], k, place + side * FILTERS * PITCH + k, PITCH, lane);
            multiply_factors(sum, factors[i % 2]);
        }
    }
}

// matrix = relu(sum), or relu(sum + what the matrix holds)
__device__ inline void put(const Sum& sum, int matrix, bool is_added, int warp, int lane) {
#pragma unroll
    for (int t = 0; t < TILES; t++)
#pragma unroll
        for (int n = 0; n < NUMBERS; n++)
#pragma unroll
            for (int i = 0; i < 2; i++) {
                int row = (warp * TILES + t) * 16 + 8 * i + lane / 4, place = matrix + row * PITCH + 16 * n + lane % 4 * 4;
                u32 before = is_added ? load(place) : 0;
                float first = sum[t][n][2 * i] + first_of(before), second = sum[t][n][2 * i + 1] + second_of(before);
                store(place, pair_of(fmaxf(first, 0.0f), fmaxf(second, 0.0f)));
            }
}

// Reads the inputs of the block's boards into matrix Y, and zeros into the rows beyond the last board.
__device__ inline void read_inputs(const float* inputs, long long count) {
    const float* mine = inputs + (long long)block_here() * BOARDS * CELLS * CHANNELS;
    int most = min(BOARDS, (int)count - block_here() * BOARDS) * CELLS;
    for (int i = thread_here(); i < ROWS * CHANNELS / 2; i += THREADS) {
        int row = 2 * i / CHANNELS;
        store(Y + row * PITCH + 2 * i % CHANNELS * 2, row < most ? pair_of(mine[2 * i], mine[2 * i + 1]) : 0);
    }
}

// The first layer, from Y to X: its weights lie in X, a row for each filter, all numbers of the nine taps one after another.
__device__ inline void first_layer(Sum& sum, const Rows& rows, const float* bias, int warp, int lane) {
    begin_at_bias(sum, bias, lane);
    for (int step = 0; step < STEM_STEPS; step++) {
        int eight = 2 * step + lane / 16, tap = eight / (CHANNELS / 8), places[TILES];
        for (int t = 0; t < TILES; t++) {
            int place = eight < STEM_EIGHTS ? neighbour(rows, t, Y, tap) : ZEROS + lane % 8 * PITCH;
            places[t] = place >= Y ? place + eight % (CHANNELS / 8) * 16 : place;
            places[t] -= lane / 16 * 16;  // each half of a step has a tap of its own
        }
        Factors factors;
        load_factors(factors, places, 0, X + step * 32, STEM_PITCH, lane);
        multiply_factors(sum, factors);
    }
    meet();  // the weights have been used
    put(sum, X, false, warp, lane);
}

// The last layer, from X to out: HEAD numbers of each cell.
__device__ inline void last_layer(const Rows& rows, const float* bias, u32* out, long long count, int warp, int lane) {
    float sum[TILES][2][4];
    wait_for_groups<0>();
    meet();
    for (int t = 0; t < TILES; t++)
        for (int i = 0; i < 8; i++) sum[t][i / 4][i % 4] = bias[8 * (i / 4) + 2 * (lane % 4) + i % 2];
    int half = lane / 16, weights = RING + PARTS % STAGES * PART + (half * 8 + lane % 8) * PITCH + lane / 8 % 2 * 16;
    for (int k = 0; k < 2 * FILTERS; k += 32) {
        u32 a[4], b[4];
        load_squares(b, weights + k);
        for (int t = 0; t < TILES; t++) {
            load_squares(a, X + rows.row[t] * PITCH + half * 16 + k);
            multiply(sum[t][0], a, b[0], b[1]);
            multiply(sum[t][1], a, b[2], b[3]);
        }
    }
    int most = min(BOARDS, (int)count - block_here() * BOARDS) * CELLS;
    u32* mine = out + (long long)block_here() * BOARDS * CELLS * HEAD / 2;
    for (int t = 0; t < TILES; t++)
        for (int i = 0; i < 4; i++) {
            int row = (warp * TILES + t) * 16 + i % 2 * 8 + lane / 4, n = i / 2;
            float first = sum[t][n][i % 2 * 2], second = sum[t][n][i % 2 * 2 + 1];
            if (row < most) mine[row * HEAD / 2 + 4 * n + lane % 4] = pair_of(fmaxf(first, 0.0f), fmaxf(second, 0.0f));
        }
}

// stem: the weights of the first layer [FILTERS][16 * STEM_STEPS]; weights: of the blocks [LAYERS][9][FILTERS][FILTERS], then of the last layer
// [HEAD][FILTERS]; all bfloat16, the numbers that a filter multiplies side by side. biases: of all layers. out: bfloat16 [count][CELLS][HEAD].
extern "C" __global__ void __launch_bounds__(THREADS, 1)
    tower(const float* inputs, const u32* stem, const u32* weights, const float* biases, u32* out, long long count) {
    int warp = thread_here() / 32, lane = thread_here() % 32;
    constexpr int PIECES = 2 * STEM_STEPS;  // of 16 bytes, of a filter's weights in the first layer
    for (int i = thread_here(); i < FILTERS * PIECES; i += THREADS) begin_copy(X + i / PIECES * STEM_PITCH + i % PIECES * 16, stem + 4 * i);
    close_group();
    for (int part = 0; part < STAGES - 1; part++) begin_part(weights, part);
    for (int i = thread_here(); i < 8 * PITCH / 4; i += THREADS) store(ZEROS + 4 * i, 0);
    read_inputs(inputs, count);
    Rows rows = rows_of_lane(warp, lane);
    Sum sum;
    wait_for_groups<STAGES - 1>();
    meet();
    first_layer(sum, rows, biases, warp, lane);
    for (int layer = 0; layer < LAYERS; layer++) {
        begin_at_bias(sum, biases + (1 + layer) * FILTERS, lane);
        convolve(sum, rows, layer % 2 ? Y : X, weights, layer, lane);
        put(sum, layer % 2 ? X : Y, layer % 2, warp, lane);
    }
    last_layer(rows, biases + (1 + LAYERS) * FILTERS, out, count, warp, lane);
}
