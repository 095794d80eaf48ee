"""pgx and mctx: rules and search of the peer, with a network of our size in bfloat16, as one compiled loop of self-play on the card."""

from __future__ import annotations

import os
import time
from functools import partial
from typing import Any

SIZES = {"connect_four": (4, 64, 64, 8192, 8), "go_9x9": (6, 64, 100, 4096, 2)}  # blocks, filters, simulations, games, moves that are timed
ROUNDS = 2


def play(name: str, batch: int, policy: str) -> dict[str, Any]:
    """Simulations a second of self-play by `muzero_policy` (PUCT with noise) or `gumbel_muzero_policy`: the best of some rounds."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx
    from pgx.experimental import auto_reset

    blocks, filters, simulations, usual, moves = SIZES[name]
    batch = batch or usual
    env = pgx.make(name)
    actions, shape = env.num_actions, env.observation_shape

    def layers(key: Any) -> Any:
        keys = iter(jax.random.split(key, 64))

        def layer(side: int, n: int, m: int) -> Any:
            return jax.random.normal(next(keys), (side, side, n, m)) * (2 / (side * side * n)) ** 0.5, jnp.zeros(m)

        tower = [layer(3, shape[2], filters), *(layer(3, filters, filters) for _ in range(2 * blocks)), layer(1, filters, 16)]
        last = 16 * shape[0] * shape[1]
        ends = [(jax.random.normal(next(keys), (last, actions + 64)) * last**-0.5, jnp.zeros(actions + 64))]
        ends += [(jax.random.normal(next(keys), (64, 1)) / 8, jnp.zeros(1))]
        return jax.tree.map(lambda x: x.astype(jnp.bfloat16), (tower, ends))

    def conv(x: Any, weights: Any) -> Any:
        return jax.lax.conv_general_dilated(x, weights[0], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + weights[1]

    def network(params: Any, seen: Any) -> tuple[Any, Any]:
        tower, ends = params
        x = jax.nn.relu(conv(seen.astype(jnp.bfloat16), tower[0]))
        for i in range(1, 2 * blocks, 2):
            x = jax.nn.relu(conv(jax.nn.relu(conv(x, tower[i])), tower[i + 1]) + x)
        x = jax.nn.relu(conv(x, tower[-1]))
        y = x.reshape(x.shape[0], -1) @ ends[0][0] + ends[0][1]
        value = jnp.tanh((jax.nn.relu(y[:, actions:]) @ ends[1][0] + ends[1][1]).astype(jnp.float32))[:, 0]
        return y[:, :actions].astype(jnp.float32), value

    def step(params: Any, key: Any, action: Any, state: Any) -> Any:
        player = state.current_player
        state = jax.vmap(env.step)(state, action)
        logits, value = network(params, state.observation)
        logits = jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
        told = mctx.RecurrentFnOutput(
            reward=state.rewards[jnp.arange(batch), player],
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(state.terminated, 0.0, value),
        )
        return told, state

    def move(params: Any, state: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        logits, value = network(params, state.observation)
        root, illegal = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state), ~state.legal_action_mask
        if policy == "muzero":
            alpha = 1.0 if actions < 10 else 0.12
            out = mctx.muzero_policy(params, first, root, step, simulations, invalid_actions=illegal, dirichlet_alpha=alpha)
        else:
            out = mctx.gumbel_muzero_policy(params, first, root, step, simulations, invalid_actions=illegal, gumbel_scale=1.0)
        seen, weights = state.observation, out.action_weights
        state = jax.vmap(auto_reset(env.step, env.init))(state, out.action, jax.random.split(second, batch))
        return state, weights.sum() + seen.sum()

    @partial(jax.jit, static_argnums=3)
    def moves_of(params: Any, state: Any, key: Any, n: int) -> Any:
        return jax.lax.scan(lambda s, k: move(params, s, k), state, jax.random.split(key, n))

    key = jax.random.PRNGKey(0)
    params, state = layers(key), jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))
    state, _ = jax.block_until_ready(moves_of(params, state, key, moves))
    best = float("inf")
    for i in range(ROUNDS):
        began = time.perf_counter()
        state, _ = jax.block_until_ready(moves_of(params, state, jax.random.PRNGKey(i + 1), moves))
        best = min(best, time.perf_counter() - began)
    return {"peer": f"pgx + mctx, {policy}", "game": name, "games": batch, "sims_per_s": round(batch * simulations * moves / best)}
