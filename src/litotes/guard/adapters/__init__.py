"""The guard inside other libraries: caches, frameworks and routers. Each module needs only its own library."""
