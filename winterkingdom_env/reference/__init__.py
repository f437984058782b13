"""The rules of every game again, slow and obvious: the oracle that the kernels are compared with."""
