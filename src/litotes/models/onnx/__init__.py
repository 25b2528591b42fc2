"""Models as ONNX graphs: written from the shipped weights with NumPy alone, and run without torch."""
