"""GPUs that XLA compiles for where there are none: nothing runs."""

import os

import jax

#: What XLA asks of a device that it compiles for, by name.
TARGETS = {
    "h100": """
gpu_device_info {
  threads_per_block_limit: 1024 threads_per_warp: 32
  shared_memory_per_block: 49152 shared_memory_per_core: 233472
  shared_memory_per_block_optin: 232448 threads_per_core_limit: 2048
  core_count: 132 fpus_per_core: 128 clock_rate_ghz: 1.98
  block_dim_limit_x: 2147483647 block_dim_limit_y: 65535 block_dim_limit_z: 65535
  registers_per_core_limit: 65536 registers_per_block_limit: 65536
  memory_bandwidth: 3352320000000 l2_cache_size: 52428800
  device_memory_size: 84942979072 cuda_compute_capability { major: 9 }
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 10 }
device_description_str: "NVIDIA H100 80GB HBM3"
""",
}


def find_device(name):
    """The device `name`. JAX's plugin for CUDA must be installed."""
    if name not in TARGETS:
        raise SystemExit(f"no GPU '{name}' is known; there are {', '.join(TARGETS)}")
    # The plugin must not look for a GPU, nor try algorithms on one.
    jax.config.update("jax_platforms", "cpu")
    flags = os.environ.get("XLA_FLAGS", "")
    if "xla_gpu_autotune_level" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} --xla_gpu_autotune_level=0".strip()
    from jax.experimental import topologies

    try:
        described = topologies.get_topology_desc(
            name, "cuda", target_config=TARGETS[name], topology="1x1x1"
        )
    except Exception as error:
        raise SystemExit(
            "XLA cannot compile for GPUs here; it needs "
            f"pip install 'jax[cuda13]=={jax.__version__}': {error}"
        ) from None
    (device,) = described.devices
    return device
